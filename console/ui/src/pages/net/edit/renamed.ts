// New names of blocks and groups by their old ones, and the ports behind those of groups that are gone.
import { joinElements, splitElements } from "../../../lib/elements";

/** New full names by old ones, for blocks, and for groups with all their contents. */
export type Renamed = ReadonlyMap<string, string>;

/** Returns the new name of a block that was renamed or is in a renamed group. */
export function renamedOf(names: Renamed, name: string): string {
  const whole = names.get(name);
  if (whole !== undefined) return whole;
  for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1)) {
    const group = names.get(name.slice(0, at));
    if (group !== undefined) return group + name.slice(at);
  }
  return name;
}

/** Returns the old names by the new ones. */
export function inverse(names: Renamed): Renamed {
  return new Map([...names].map(([old, now]) => [now, old]));
}

/** Returns the renaming that has the effect of one after the other. */
export function chained(first: Renamed, second: Renamed): Renamed {
  const all = new Map([...first].map(([old, now]) => [old, renamedOf(second, now)]));
  const before = inverse(first);
  for (const [old, now] of second) {
    const name = renamedOf(before, old);
    if (!all.has(name)) all.set(name, now);
  }
  return all;
}

/** Renamings that references in other files follow when a file is saved. */
export interface Moves {
  blocks: Renamed;
  /** the port of a block behind each group's port that is gone, in full: "arm.u" → "pid1.out[2]" */
  ports: ReadonlyMap<string, string>;
}

/** Nothing has moved. */
export const still: Moves = { blocks: new Map(), ports: new Map() };

/** Returns what a reference such as "pid1", "pid1.out[0]" or "arm.u[1:3]" is after the moves. Elements that the group's port did not have leave it as it is. */
export function movedRef({ blocks, ports }: Moves, ref: string): string {
  const { port, elements } = splitElements(ref);
  const behind = blocks.has(ref) ? undefined : ports.get(port);
  if (behind === undefined) return renamedOf(blocks, ref);
  const inner = splitElements(behind);
  if (elements === null) return behind;
  if (inner.elements === null) return joinElements(inner.port, elements);
  const chosen = elements.flatMap((i) => inner.elements?.[i] ?? []);
  return chosen.length === elements.length ? joinElements(inner.port, chosen) : ref;
}
