// The keys of the net editor.

export type Action =
  "undo" | "redo" | "save" | "select all" | "duplicate" | "remove" | "group" | "ungroup" | "open" | "rename" | "nothing" | "fit" | "larger" | "smaller";

/** What the page tells of them. */
export const keyHelp: [keys: string[], text: string][] = [
  [["Shift click", "Shift drag"], "select several"],
  [["Drag"], "what is selected into another group, or out"],
  [["Tab", "Enter"], "go from block to block, and select; with Shift one more"],
  [["Ctrl A"], "select all beside it"],
  [["g"], "make a group of them"],
  [["Shift G"], "dissolve the group"],
  [["o", "double click"], "open or close a group, or its file"],
  [["F2"], "rename"],
  [["Ctrl C", "Ctrl X", "Ctrl V"], "copy, cut, paste"],
  [["Ctrl D"], "duplicate"],
  [["Del"], "remove blocks or links"],
  [["Ctrl Z", "Ctrl Y"], "undo, redo"],
  [["Ctrl S"], "save"],
  [["f", "+", "-"], "show all, larger, smaller"],
];

/** What a key does; undefined where it does nothing here. */
export function actionFor(e: KeyboardEvent): Action | undefined {
  const letter = e.key.toLowerCase();
  if (e.ctrlKey || e.metaKey) {
    if (letter === "z") return e.shiftKey ? "redo" : "undo";
    return ({ y: "redo", s: "save", a: "select all", d: "duplicate" } as const)[letter as "y"];
  }
  if (e.altKey) return undefined;
  if (letter === "g") return e.shiftKey ? "ungroup" : "group";
  return ({ delete: "remove", backspace: "remove", o: "open", f2: "rename", escape: "nothing", f: "fit", "0": "fit", "+": "larger", "=": "larger", "-": "smaller" } as const)[letter as "o"];
}
