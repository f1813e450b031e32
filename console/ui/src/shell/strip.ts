// The parts of the strip: what they count, and what they list.
import type { Conditions } from "../lib/conditions.svelte";
import { count } from "../lib/value";

export type PartName = "held" | "nonFinite" | "disabled" | "resting" | "faults" | "slips" | "problems";

export interface Part {
  name: PartName;
  /** as the strip shows it, such as "1 held" */
  text: string;
  title: string;
  count: number;
  /** shown also if it counts nothing */
  always: boolean;
  bad: boolean;
  entries: Entry[];
}

/** An entry of the list that a part opens. */
export interface Entry {
  /** a block, a port "block.port", or a thread */
  name: string;
  /** the block that the entry leads to; "" if it leads to no block */
  block: string;
  note: string;
}

/** Returns the parts of the strip. */
export function partsOf({ now, slips }: Pick<Conditions, "now" | "slips">): Part[] {
  if (!now) return [];
  const port = (ref: string): Entry => ({ name: ref, block: ref.slice(0, ref.lastIndexOf(".")), note: "" });
  const block = (name: string): Entry => ({ name, block: name, note: "" });
  const part = (name: PartName, text: string, title: string, entries: Entry[], flags: { always?: boolean; bad?: boolean; count?: number } = {}): Part => ({
    name,
    text: `${count(flags.count ?? entries.length)} ${text}`,
    title,
    count: flags.count ?? entries.length,
    always: flags.always ?? false,
    bad: flags.bad ?? false,
    entries,
  });
  const past = now.fault_count - now.faults.length;
  return [
    part("held", "held", "Held inputs and outputs: their value was set by hand until it is released", now.held.map(port), { always: true }),
    part("slips", slips === 1 ? "slip" : "slips", "Missed periods of threads since the system started", now.slips.map((t) => ({ name: t.thread, block: "", note: `${count(t.slips)} missed periods${t.process ? `, process ${t.process}` : ""}` })), { always: true, count: slips }),
    part("faults", now.faults.length === 1 ? "fault" : "faults", `Blocks in error${past > 0 ? `; ${past} more were reset since the system started` : ""}`, now.faults.map((f) => ({ name: f.block, block: f.block, note: f.why })), { always: true, bad: true }),
    part("nonFinite", "not finite", "Outputs with NaN or infinity", now.non_finite.map(port), { bad: true }),
    part("disabled", "disabled", "Disabled blocks: they are not executed, and their outputs keep their last values", now.disabled.map(block)),
    part("resting", "resting", "Blocks without data for longer than their time-out; their outputs have safe values", now.resting.map(block)),
    part("problems", now.problems.length === 1 ? "process missing" : "processes missing", "Processes that do not run or do not answer", now.problems.map((text) => ({ name: text, block: "", note: "" })), { bad: true }),
  ];
}
