// Which ports are held by hand. The system does not tell; the console's log of changes does.
import type { ConsoleEvent } from "./wire";

const change = /^(feed|release|enable) (.+?)(?: = (.*))?$/s;

/** References of the ports of a system that were fed and not released since it began, oldest event first. */
export function heldByHand(events: ConsoleEvent[], system: string): Set<string> {
  const held = new Set<string>();
  for (const e of events) {
    if (e.system !== system) continue;
    if (e.kind === "gone" || e.kind === "back") held.clear();
    if (e.kind !== "change") continue;
    const [, what, ref = "", value] = change.exec(e.text) ?? [];
    if (what === "feed") held.add(ref);
    if (what === "release") held.delete(ref);
    if (what === "enable" && value === "false") held.add(ref + ".enable");
    if (what === "enable" && value === "true") held.delete(ref + ".enable");
  }
  return held;
}
