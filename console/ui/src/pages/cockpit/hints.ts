// The next steps of a new user: three lines, each shown until it is dismissed in this browser.
import type { Robot } from "../../lib/robots";
import type { Structure } from "../../lib/wire";

/** A line with what happens on a click. */
export interface Hint {
  id: "tune" | "look" | "move";
  text: string;
  /** label of the button */
  button: string;
  /** an order to put into the palette, or the page to open */
  order?: string;
  page?: "net" | "robot";
}

/** Returns the three lines, with names of the present system. */
export function hintsFor(structure: Structure, robot: Robot | null, value: (ref: string) => unknown): Hint[] {
  const ref = gainOf(structure);
  const now = ref === "" ? undefined : value(ref);
  const example = typeof now === "number" ? `${ref} ${now}` : ref;
  const list: Hint[] = [];
  if (ref !== "") list.push({ id: "tune", text: `Change a value while it runs: press / and type a parameter and its value, such as “${example}”.`, button: "Try it", order: example + (typeof now === "number" ? "" : " ") });
  list.push({ id: "look", text: "See how it is built: the page Net shows blocks and links live. A click on a block opens its ports and parameters.", button: "Open Net", page: "net" });
  if (robot?.move !== undefined) list.push({ id: "move", text: "Move the robot: on the page Robot, drag a joint or the tool, then press Move there.", button: "Open Robot", page: "robot" });
  else if (robot !== null) list.push({ id: "move", text: "Look at the robot: on the page Robot, drag a joint to pose it. The real robot does not move.", button: "Open Robot", page: "robot" });
  return list;
}

/** Returns a parameter to tune: one that looks like a gain, otherwise the first number; "" if there is none. */
export function gainOf(structure: Structure): string {
  const all = structure.blocks.flatMap((b) => (b.params ?? []).filter((p) => p.fixed !== true && /^float\d+$/.test(p.type)).map((p) => ({ name: p.name, ref: `${b.name}.${p.name}` })));
  return (all.find((p) => /^(kp|gain|stiffness|speed)$/.test(p.name)) ?? all[0])?.ref ?? "";
}

const storageKey = "sinew.cockpit.dismissed";

/** Returns the lines that the user has dismissed in this browser. */
export function loadDismissed(): string[] {
  try {
    const list = JSON.parse(localStorage.getItem(storageKey) ?? "[]") as unknown;
    return Array.isArray(list) ? list.filter((s): s is string => typeof s === "string") : [];
  } catch {
    return [];
  }
}

export function saveDismissed(list: readonly string[]): void {
  localStorage.setItem(storageKey, JSON.stringify(list));
}
