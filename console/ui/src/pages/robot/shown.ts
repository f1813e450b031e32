// Poses that programs show of a robot through the coach's port, collected from the poses that the console sends.

import type { CoachPose } from "../../lib/robots";

/** A body drawn in a frame of its own: a link in the world, or one of its shapes in the link. */
export interface Placed {
  link: string;
  /** index of a visual; null: the whole link */
  shape: number | null;
  p: [number, number, number];
  q: [number, number, number, number];
}

export interface Shown {
  /** positions of the joints, in the robot's order; null if programs have set none */
  q: number[] | null;
  placed: readonly Placed[];
}

export const nothingShown: Shown = { q: null, placed: [] };

/** Returns what is shown after another pose. */
export function after(shown: Shown, pose: CoachPose): Shown {
  const { q, link, shape, frame } = pose;
  if (q !== undefined) return { q, placed: shown.placed.filter((x) => x.shape !== null) };
  if (link === undefined || frame === undefined) return nothingShown;
  const at: Placed = { link, shape: shape ?? null, ...frame };
  return { q: shown.q, placed: [...shown.placed.filter((x) => x.link !== at.link || x.shape !== at.shape), at] };
}
