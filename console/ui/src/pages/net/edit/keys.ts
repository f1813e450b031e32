// The net editor's keys.

export type Action =
  "undo" | "redo" | "save" | "select all" | "duplicate" | "remove" | "group" | "ungroup" | "open" | "rename" | "deselect" | "fit" | "zoom in" | "zoom out";

/** Help text for the keys. */
export const keyHelp: [keys: string[], text: string][] = [
  [["Shift click", "Shift drag"], "select several"],
  [["Drag"], "place a box by hand, or move it into or out of a group"],
  [["←", "→", "↑", "↓"], "place the selection by 10 px (Shift: 1 px)"],
  [["Tab", "Enter"], "next block; select it (Shift: add it)"],
  [["Ctrl A"], "select all in the same group"],
  [["g"], "group the selection"],
  [["Shift G"], "ungroup"],
  [["o", "Double click"], "open or close a group, or open its file"],
  [["F2"], "rename"],
  [["Ctrl C", "Ctrl X", "Ctrl V"], "copy, cut, paste"],
  [["Ctrl D"], "duplicate"],
  [["Del"], "remove blocks or links"],
  [["Ctrl Z", "Ctrl Y"], "undo, redo"],
  [["Ctrl S"], "save"],
  [["f", "+", "-"], "show all, zoom in, zoom out"],
];

/** Returns the action of a key; undefined if it has none. */
export function actionFor(e: KeyboardEvent): Action | undefined {
  const letter = e.key.toLowerCase();
  if (e.ctrlKey || e.metaKey) {
    if (letter === "z") return e.shiftKey ? "redo" : "undo";
    return ({ y: "redo", s: "save", a: "select all", d: "duplicate" } as const)[letter as "y"];
  }
  if (e.altKey) return undefined;
  if (letter === "g") return e.shiftKey ? "ungroup" : "group";
  return ({ delete: "remove", backspace: "remove", o: "open", f2: "rename", escape: "deselect", f: "fit", "0": "fit", "+": "zoom in", "=": "zoom in", "-": "zoom out" } as const)[letter as "o"];
}
