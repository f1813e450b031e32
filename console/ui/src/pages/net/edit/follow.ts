// The places of boxes follow renamed blocks and groups, and boxes that a new group takes up or that leave a dissolved one.
import type { Point } from "../layers";
import type { Places } from "../layout";
import { enclosingGroup } from "./netfile";
import { renamedOf, type Renamed } from "./renamed";

/**
 * Returns places after a renaming. A new group takes the place of the boxes that it takes up, and a dissolved one gives its place to its
 * boxes, so that both keep the picture. A box that is moved into another group is arranged automatically there. had and has report
 * whether a group existed before and exists now.
 */
export function followed(places: Places, renamed: Renamed, had: (group: string) => boolean, has: (group: string) => boolean): Places {
  if (places.size === 0 || renamed.size === 0) return places;
  const now = new Map<string, Point>();
  const takenUp = new Map<string, [name: string, at: Point][]>(); // by new group
  for (const [old, at] of places) {
    const name = renamedOf(renamed, old);
    const [from, to] = [enclosingGroup(old), enclosingGroup(name)];
    if (to === renamedOf(renamed, from)) now.set(name, at);
    else if (!had(to) && to !== "") takenUp.set(to, [...(takenUp.get(to) ?? []), [name, at]]);
    else if (from !== "" && !has(renamedOf(renamed, from))) {
      const group = places.get(from) ?? { x: 0, y: 0 };
      now.set(name, { x: group.x + at.x, y: group.y + at.y });
    }
  }
  for (const [group, boxes] of takenUp) {
    const corner = { x: Math.min(...boxes.map(([, p]) => p.x)), y: Math.min(...boxes.map(([, p]) => p.y)) };
    now.set(group, corner);
    for (const [name, p] of boxes) now.set(name, { x: p.x - corner.x, y: p.y - corner.y });
  }
  for (const name of [...now.keys()]) if (places.has(name) && had(name) && !has(name)) now.delete(name); // a dissolved group
  return now;
}
