// Flags on the time bar: what happened when.
import type { TimeSpan } from "./timeline.svelte";
import type { ConsoleEvent } from "./wire";

const most = 300; // newest flags that are drawn

/** A flag at a time in s of the system. */
export interface Flag {
  time: number;
  kind: "change" | "fault" | "slip" | "event";
  text: string;
}

/** Returns the flags of a span of time, oldest first: changes, faults, other events, and slips. Log lines have none. */
export function flagsOf(span: TimeSpan, events: readonly ConsoleEvent[], system: string): Flag[] {
  const flags: Flag[] = span.slips.map(({ time, thread, count }) => ({ time, kind: "slip", text: `${thread}: ${count} ${count === 1 ? "slip" : "slips"}` }));
  for (const e of events) {
    if (e.system !== system || e.kind === "log") continue;
    const time = Math.min(span.end, span.end - (span.wall - Date.parse(e.time)) / 1000); // what ended a system comes after its last sample
    const kind = e.kind === "change" || e.kind === "fault" ? e.kind : "event";
    flags.push({ time, kind, text: e.user ? `${e.text} (${e.user})` : e.text });
  }
  return flags
    .filter((f) => f.time >= span.start)
    .sort((a, b) => a.time - b.time)
    .slice(-most);
}

/** Returns the next flag after a time, or with direction -1 the one before; undefined if there is none. */
export function nextFlag(flags: readonly Flag[], time: number, direction: -1 | 1): Flag | undefined {
  const apart = 1e-3; // s
  return direction > 0 ? flags.find((f) => f.time > time + apart) : flags.findLast((f) => f.time < time - apart);
}
