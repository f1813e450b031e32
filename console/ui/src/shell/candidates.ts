// Completions of the last word of an order in the palette.
import { find, type Command } from "./commands";
import { heldPorts, type Names, type Reading } from "./orders";

const most = 40;

/** Returns commands whose fill is the text with its last word completed; none where a free value is expected. */
export function candidates(text: string, names: Names, reading: Reading | null): Command[] {
  if (reading === null || reading.verb === "stop" || reading.verb === "keys") return [];
  const before = text.slice(0, text.length - (/\S*$/.exec(text)?.[0].length ?? 0)); // up to the last word
  const words = before.trim().split(/\s+/);
  const entry = (name: string, kind: string, hint = "", end = " "): Command => ({ id: `${kind} ${name}`, kind, title: name, hint, fill: before + name + end });
  const of = (list: Command[]): Command[] => find(list, text.slice(before.length), most);
  if (reading.verb === "set") {
    const type = names.params.get(words[0] ?? "")?.type;
    return type === "bool" && words.length === 1 ? of(["true", "false"].map((v) => entry(v, "value", "", ""))) : [];
  }
  if (reading.verb === "plot") {
    return of([...names.ports].filter(([ref, p]) => !words.includes(ref) && p.kind !== "handler").map(([ref, p]) => entry(ref, p.kind, p.doc)));
  }
  if (reading.verb === "release") {
    const held = heldPorts(names).filter((ref) => !words.includes(ref));
    return of([...held.map((ref) => entry(ref, "held", names.ports.get(ref)?.doc)), ...(held.length > 1 && words.length === 1 ? [entry("all", "held", held.join(", "), "")] : [])]);
  }
  if (words.length > 1) return []; // a value or an argument
  if (reading.verb === "hold") {
    return of([...names.ports].filter(([, p]) => p.kind === "input" || p.kind === "output").map(([ref, p]) => entry(ref, p.kind, p.doc)));
  }
  return of([...names.operations].map(([ref, o]) => entry(ref, "operation", [(o.args ?? []).map((a) => a.name).join(" "), o.doc ?? ""].filter((s) => s !== "").join(" · "))));
}
