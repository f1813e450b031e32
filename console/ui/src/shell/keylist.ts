// The keys of all pages, as the list of keys shows them.

/** A page or part of the console, and its keys with what they do. */
export interface KeyGroup {
  title: string;
  keys: [keys: string[], text: string][];
}

export const keyGroups: KeyGroup[] = [
  {
    title: "Every page",
    keys: [
      [["1", "…", "9"], "pages, in the order of the bar"],
      [["/", "Ctrl K"], "palette: find names, give orders"],
      [["Alt A"], "swap old and new value of the parameter changed last"],
      [["Alt S"], "stop the system, after a question"],
      [["←", "→"], "on the time bar: 0.01 s; with Shift 1 s"],
      [["?"], "this list"],
      [["Esc"], "close"],
    ],
  },
  {
    title: "Palette",
    keys: [
      [["pid1.kp 90"], "set a parameter"],
      [["hold PORT VALUE"], "override a port"],
      [["release PORT"], "release it; release all"],
      [["plot SIGNAL…"], "show signals in the scope"],
      [["call BLOCK.OP ARGS"], "call an operation"],
      [["stop"], "stop the system"],
      [["Tab"], "complete"],
      [["Enter"], "carry out, or go there"],
    ],
  },
  {
    title: "Net",
    keys: [
      [["f", "+", "-"], "show all, zoom in, zoom out"],
      [["Drag", "←", "→", "↑", "↓"], "place a box by hand (keys: the selected one, by 10 px; with Shift by 1 px)"],
      [["Ctrl Z", "Ctrl Y"], "undo, redo placing"],
      [["e"], "edit; the editor lists its own keys"],
      [["Esc"], "deselect"],
    ],
  },
  {
    title: "Tree",
    keys: [
      [["f"], "search"],
      [["↑", "↓", "←", "→"], "select, close, open"],
      [["Home", "End"], "first, last"],
    ],
  },
  {
    title: "Scope",
    keys: [
      [["Space"], "hold the picture, or run"],
      [["+", "-"], "shorter or longer time span"],
      [["←", "→"], "earlier, later"],
      [["Home"], "run, or show the whole log"],
      [["c", "a", "b"], "cursors; move A or B to the mouse"],
      [["f", "t"], "fit the axes; next trigger mode"],
      [["n"], "new plot"],
      [["[", "]"], "move the selected signal to the plot above or below"],
      [["s", "=", "o"], "search signals; write a formula; open a log"],
      [["v", "Del"], "hide or remove the selected signal"],
    ],
  },
  {
    title: "Robot",
    keys: [
      [["Home", "x", "y", "z"], "viewpoints: free, front, side, top"],
      [["↑", "↓"], "select a joint"],
      [["←", "→"], "pose it by 2° or 5 mm"],
      [["g", "f", "m", "k", "t", "h"], "marks in the picture"],
      [["c"], "visual shapes, collision shapes, both"],
      [["p"], "push the simulated robot with the mouse"],
      [["Esc"], "discard the pose, end pushing"],
    ],
  },
  {
    title: "Panels",
    keys: [
      [["e"], "edit the panel"],
      [["Ctrl S", "Ctrl Z", "Ctrl Y"], "save, undo, redo"],
      [["d", "Del"], "duplicate or remove the widget"],
      [["↑", "↓", "←", "→"], "move it"],
    ],
  },
  {
    title: "Plan",
    keys: [
      [["Space"], "play the motion, or pause"],
      [["s", "g"], "move the start; the goal"],
      [["r"], "the handle turns, or moves"],
      [["t"], "the planner's tree"],
      [["c"], "visual shapes, collision shapes, both"],
      [["Home", "x", "y", "z"], "viewpoints: free, front, side, top"],
      [["Ctrl Z", "Del"], "undo; remove the obstacle"],
      [["Esc"], "deselect, or cancel planning"],
    ],
  },
];
