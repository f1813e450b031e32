// The contents of the strip below the picture: the speeds along a program, and the limits that bind.

import type { Compiled, ProgramLimit } from "../../lib/programs";

/** The part of a limit from which on it binds. */
export const binding = 0.95;

/** A span of time in which one limit binds, s. */
export interface Span {
  from: number;
  to: number;
  /** index in limits */
  limit: number;
}

/** Returns the limit of which the greatest part is used at a sample, and this part. */
export function greatest(use: ArrayLike<number>): { limit: number; part: number } {
  let limit = 0;
  for (let k = 1; k < use.length; k++) if ((use[k] ?? 0) > (use[limit] ?? 0)) limit = k;
  return { limit, part: use[limit] ?? 0 };
}

/** Returns the index of the sample at a time. */
export const sampleAt = ({ duration, use }: Pick<Compiled, "duration" | "use">, time: number): number => Math.max(0, Math.min(use.length - 1, Math.round((time / Math.max(duration, 1e-9)) * (use.length - 1))));

/** Returns where which limit binds, in the order of time. */
export function bindings({ duration, use }: Pick<Compiled, "duration" | "use">): Span[] {
  const spans: Span[] = [];
  const step = duration / Math.max(1, use.length - 1);
  use.forEach((row, i) => {
    const { limit, part } = greatest(row);
    if (part < binding) return;
    const [from, to] = [Math.max(0, (i - 0.5) * step), Math.min(duration, (i + 0.5) * step)];
    const last = spans.at(-1);
    if (last !== undefined && last.limit === limit && from - last.to < step / 2) last.to = to;
    else spans.push({ from, to, limit });
  });
  return spans;
}

/** Names a limit for people. */
export const nameOf = ({ of, kind }: ProgramLimit): string => `${kind} of ${of === "" ? "the tool" : of}`;

/** Returns for how long each limit binds, the longest first, as text. */
export function summary(c: Compiled): { text: string; limit: number }[] {
  const time = new Map<number, number>();
  for (const s of bindings(c)) time.set(s.limit, (time.get(s.limit) ?? 0) + s.to - s.from);
  return [...time].sort((a, b) => b[1] - a[1]).map(([limit, t]) => ({ text: `${nameOf(c.limits[limit] ?? { of: "", kind: "speed" })} ${t.toFixed(1)} s`, limit }));
}
