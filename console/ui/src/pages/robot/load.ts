// How hard a joint works and how close it is to its limits, as shares of what its description allows.
import type { JointInfo } from "./model";

/** Returns torque relative to effort, from 0; NaN if either is unknown. 1 is all of it. */
export function torqueShare(joint: JointInfo, torque: number | undefined): number {
  return joint.effort > 0 && torque !== undefined && Number.isFinite(torque) ? Math.abs(torque) / joint.effort : NaN;
}

/** The distance to the nearer limit, in rad or m, and relative to the whole range; negative beyond it. null without limits or position. */
export function margin(joint: JointInfo, position: number): { distance: number; share: number; limit: "lower" | "upper" } | null {
  if (joint.endless || !Number.isFinite(position)) return null;
  const [low, high] = [position - joint.lower, joint.upper - position];
  const distance = Math.min(low, high);
  return { distance, share: distance / (joint.upper - joint.lower), limit: low < high ? "lower" : "upper" };
}

/** A limit counts as near below this share of the range. */
export const near = 0.1;

/** Returns how near a limit is on the colour scale: 0 from a quarter of the range on, 1 at the limit and beyond. */
export function nearness(share: number): number {
  return Math.min(1, Math.max(0, 1 - share / 0.25));
}

/** Returns the colour of a value from 0 (rest) to 1 (limit). */
export function heat(value: number): string {
  const part = Math.round(100 * Math.min(1, Math.max(0, value)));
  return part <= 50 ? `color-mix(in oklab, var(--warn) ${2 * part}%, var(--ok))` : `color-mix(in oklab, var(--bad) ${2 * part - 100}%, var(--warn))`;
}
