// The layout files of a system: which file holds the place of a box, and places of boxes that do not exist.
import type { FileLayout } from "../../lib/layouts";
import { repeats } from "./edit/range";
import type { Places } from "./layout";

/** Returns the places of all boxes of a system, by full name. Of several layouts the first one counts. */
export function placesIn(layouts: FileLayout[]): Places {
  const all = new Map<string, { x: number; y: number }>();
  for (const l of layouts) for (const [name, [x, y]] of Object.entries(l.boxes)) for (const prefix of prefixesOf(l)) if (!all.has(prefix + name)) all.set(prefix + name, { x, y });
  return all;
}

/** Returns the layout that has the place of a box or gets it, and the name of the box there: that of the file which describes its group. */
export function homeOf(layouts: FileLayout[], box: string): { layout: FileLayout; name: string } | undefined {
  const homes = layouts.flatMap((layout) => prefixesOf(layout).filter((p) => box.startsWith(p)).map((p) => ({ layout, name: box.slice(p.length) })));
  const shortest = Math.min(...homes.map((h) => h.name.length));
  const candidates = homes.filter((h) => h.name.length === shortest);
  return candidates.find((h) => h.name in h.layout.boxes) ?? candidates[0];
}

/** Describes what is wrong with layouts: files that cannot be read, and places of boxes that the running net does not have. */
export function problemsOf(layouts: FileLayout[], exists: (box: string) => boolean): string[] {
  return layouts.flatMap((l) => {
    if (l.problem) return [l.problem];
    const gone = Object.keys(l.boxes).filter((name) => !repeats(name) && !prefixesOf(l).some((p) => exists(p + name)));
    return gone.length === 0 ? [] : [`${l.name} places what the running net does not have: ${gone.join(", ")}`];
  });
}

/** Returns boxes as a layout file has them. */
export function boxesOf(places: Places): FileLayout["boxes"] {
  return Object.fromEntries([...places].map(([name, { x, y }]) => [name, [x, y]]));
}

/** Returns boxes as text with a line for each, for a comparison. */
export function textOf(boxes: FileLayout["boxes"]): string {
  return Object.entries(boxes).map(([name, [x, y]]) => `${name}: [${x}, ${y}]`).sort().join("\n");
}

/** Returns the prefixes of a layout's boxes in the running net. */
function prefixesOf(l: FileLayout): string[] {
  return l.groups.length === 0 ? [""] : l.groups.map((g) => g + ".");
}
