// Places in a slice of the configuration space.

import type { Setting } from "../../lib/plans";

/** Returns where a position of a joint is between its limits: 0 at the lower, 1 at the upper one. */
export function place(position: number | undefined, joint: number, { lower, upper }: Pick<Setting, "lower" | "upper">): number {
  const [low, high] = [lower[joint] ?? 0, upper[joint] ?? 1];
  return ((position ?? NaN) - low) / (high - low);
}

/** Returns the points of an SVG line of 100 by 100 for a motion, seen in two joints. */
export function polyline(q: readonly ArrayLike<number>[], x: number, y: number, limits: Pick<Setting, "lower" | "upper">): string {
  return q.map((p) => `${(100 * place(p[x], x, limits)).toFixed(2)},${(100 - 100 * place(p[y], y, limits)).toFixed(2)}`).join(" ");
}
