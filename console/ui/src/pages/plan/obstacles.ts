// Obstacles: new ones, their names and sizes.

import type { Obstacle, Part, PartKind, Triple } from "../../lib/plans";

/** The kinds that can be added, with their sizes. */
export const kinds: { kind: PartKind; title: string; sizes: string[]; initial: number[] }[] = [
  { kind: "box", title: "Box", sizes: ["x", "y", "z"], initial: [0.2, 0.2, 0.2] },
  { kind: "sphere", title: "Sphere", sizes: ["radius"], initial: [0.1] },
  { kind: "cylinder", title: "Cylinder", sizes: ["height", "radius"], initial: [0.3, 0.08] },
];

/** Least and greatest size of a shape, m. */
export const [leastSize, mostSize] = [1e-3, 100];

/** Returns a name that no obstacle has. */
export function freeName(kind: string, objects: readonly Obstacle[]): string {
  for (let i = 1; ; i++) {
    const name = `${kind}${i}`;
    if (!objects.some((o) => o.name === name)) return name;
  }
}

/** Returns a new obstacle at a position. */
export function added(kind: PartKind, p: Triple, objects: readonly Obstacle[]): Obstacle {
  const size = kinds.find((k) => k.kind === kind)?.initial ?? [0.1];
  return { name: freeName(kind, objects), p, q: [0, 0, 0, 1], parts: [{ kind, size: [...size], p: [0, 0, 0], q: [0, 0, 0, 1] }] };
}

/** Returns the sizes of a part by their names. */
export function sizesOf(part: Part): string[] {
  return part.kind === "cone" ? ["height", "radius"] : (kinds.find((k) => k.kind === part.kind)?.sizes ?? []);
}

/** Returns obstacles in which the one of a name is changed. */
export function changed(objects: readonly Obstacle[], name: string, change: Partial<Obstacle>): Obstacle[] {
  return objects.map((o) => (o.name === name ? { ...o, ...change } : o));
}

/** Returns an obstacle with another size of one part; null for a size that no shape can have. */
export function resized(o: Obstacle, part: number, index: number, size: number): Obstacle | null {
  if (!(size >= leastSize && size <= mostSize)) return null;
  return { ...o, parts: o.parts.map((p, i) => (i === part ? { ...p, size: p.size.map((s, k) => (k === index ? size : s)) } : p)) };
}
