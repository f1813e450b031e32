// Positions on a planned motion.

import type { Plan } from "../../lib/plans";

/** Returns the joint positions of a plan at a time in s, between two samples on a line. */
export function at({ duration, q }: Pick<Plan, "duration" | "q">, time: number): number[] {
  const last = q.length - 1;
  if (last < 1 || time <= 0) return Array.from(q[0] ?? []);
  const step = duration / last;
  const i = Math.min(last - 1, Math.floor(time / step));
  const part = Math.min(1, time / step - i);
  return Array.from(q[i + 1] ?? [], (to, k) => (q[i]?.[k] ?? to) * (1 - part) + to * part);
}

/** Returns at most `most` of some samples at equal distances, with the last, without the first. */
export function thinned<T>(samples: readonly T[], most: number): T[] {
  const [n, count] = [samples.length - 1, Math.min(most, samples.length - 1)];
  return Array.from({ length: Math.max(0, count) }, (_, i) => samples[Math.round(((i + 1) * n) / count)] as T);
}
