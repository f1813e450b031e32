// Consequences for a system that stops or restarts, derived from its structure and condition.
import type { Condition } from "../lib/condition";
import type { Structure } from "../lib/wire";

/** Returns what happens, one sentence each, and the outputs that keep their last value. */
export function consequences(s: Structure, c: Condition | null, action: "stop" | "restart"): { lines: string[]; unsafe: string[] } {
  const outputs = s.blocks.flatMap((b) => (b.ports ?? []).filter((p) => p.kind === "output").map((p) => ({ ref: `${b.name}.${p.name}`, safe: (p.safe ?? "") !== "" })));
  const unsafe = outputs.filter((o) => !o.safe).map((o) => o.ref);
  const safe = outputs.length - unsafe.length;
  const brakes = s.blocks.filter((b) => b.operations?.some((o) => /brake/i.test(o.name) && /apply/i.test(o.name)) && b.operations.some((o) => /motor.?off/i.test(o.name))).map((b) => b.name);
  const moves = s.blocks.some((b) => b.ports?.some((p) => p.show?.startsWith("joint")));
  const supervised = s.processes.some((p) => p.supervised);

  const lines = [`${many(s.blocks.length, "block")} stop, the last one first.`];
  if (supervised) lines[0] = `All processes end, also programs in other languages, whatever their restart policy. ${lines[0] ?? ""}`;
  if (brakes.length > 0) lines.push(`${list(brakes)} ${brakes.length === 1 ? "applies its brake and switches its motor" : "apply their brakes and switch their motors"} off.`);
  else if (moves) lines.push("No block with a brake is known: a robot without brakes can sag or fall when its drives switch off.");
  if (outputs.length > 0) lines.push(safe === 0 ? `None of ${many(outputs.length, "output")} has a safe value: all keep their last value.` : `${many(safe, "output")} ${safe === 1 ? "takes its" : "take their"} safe value; ${unsafe.length === 0 ? "none is without" : `${unsafe.length} have none and keep their last value`}.`);
  const held = c?.held.length ?? 0;
  if (held > 0) lines.push(`${many(held, "held port")} ${held === 1 ? "is" : "are"} released.`);
  if (action === "restart") lines.push("Then the system starts again from its files. Tuned values that are not saved are lost.");
  return { lines, unsafe };
}

function many(n: number, one: string, more = one + "s"): string {
  return `${n} ${n === 1 ? one : more}`;
}

/** Returns names as "a, b and c", at most four of them. */
function list(names: string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`;
}
