// Numbers that describe how a signal follows its reference: rms of the error, overshoot, settling time.

/** Samples over time; times in s, increasing. */
export interface Curve {
  t: number[];
  y: number[];
}

/** A change of the reference from rest at one value to rest at another. */
export interface Step {
  start: number;
  /** when the reference changes again, or the curve ends */
  end: number;
  from: number;
  to: number;
}

/** The measurements of a response. */
export interface Measures {
  /** of the error over the whole time compared */
  rms: number;
  /** in % of the step; null without a step */
  overshoot: number | null;
  /** in s, until the signal stays within 2 % of the step; null without a step, or if the time ends before */
  settling: number | null;
}

const band = 0.02; // of the step: within it the signal has settled
const shortestRest = 0.05; // s that a reference must stand
const least = 0.1; // of the range: smaller changes are no steps

/** Returns the part of a curve between two times. */
export function between(c: Curve, from: number, to: number): Curve {
  const first = c.t.findIndex((t) => t >= from);
  if (first < 0) return { t: [], y: [] };
  const after = c.t.findIndex((t) => t > to);
  const last = after < 0 ? c.t.length : after;
  return { t: c.t.slice(first, last), y: c.y.slice(first, last) };
}

/** Returns the value that a curve holds at each of some times: its newest sample then, or its first. */
export function held(c: Curve, times: readonly number[]): number[] {
  let i = 0;
  return times.map((t) => {
    while (i + 1 < c.t.length && (c.t[i + 1] ?? Infinity) <= t + 1e-9) i++;
    return c.y[i] ?? NaN;
  });
}

/** Returns the steps of a reference: moves, however they are shaped, between two rests. */
export function stepsOf(r: Curve): Step[] {
  const range = r.y.reduce((m, v) => Math.max(m, v), -Infinity) - r.y.reduce((m, v) => Math.min(m, v), Infinity);
  if (!(range > 0)) return [];
  const [t0 = 0] = r.t;
  const tEnd = r.t.at(-1) ?? 0;
  const rest = Math.max(shortestRest, 0.02 * (tEnd - t0));
  const tolerance = 0.01 * range;
  const rests: { from: number; to: number; level: number }[] = [];
  for (let i = 0; i < r.t.length; ) { // the longest run from i that stays within the tolerance
    const level = r.y[i] ?? 0;
    let j = i;
    while (j + 1 < r.t.length && Math.abs((r.y[j + 1] ?? 0) - level) <= tolerance) j++;
    const [from, to] = [r.t[i] ?? 0, j + 1 < r.t.length ? (r.t[j + 1] ?? 0) : (r.t[j] ?? 0)];
    if (to - from >= rest) {
      const found = { from, to: r.t[j] ?? 0, level: r.y[(i + j) >> 1] ?? 0 };
      const last = rests.at(-1);
      if (last !== undefined && Math.abs(found.level - last.level) < least * range) {
        if (found.to - found.from > last.to - last.from) last.level = found.level;
        last.to = found.to; // the slow beginning or end of a smooth move
      } else rests.push(found);
      i = j + 1;
    } else i++;
  }
  const steps: Step[] = [];
  for (const [k, a] of rests.entries()) {
    const b = rests[k + 1];
    if (b !== undefined) steps.push({ start: a.to, end: rests[k + 2] === undefined ? tEnd : b.to, from: a.level, to: b.level });
  }
  return steps;
}

/** Returns the root of the mean square of a signal's error against its reference; without one, of the signal itself. */
export function rmsOf(y: Curve, r: Curve | null): number {
  const wanted = r === null ? null : held(r, y.t);
  const sum = y.y.reduce((s, v, i) => s + (v - (wanted?.[i] ?? 0)) ** 2, 0);
  return Math.sqrt(sum / y.y.length);
}

/** Measures a response between two times; step is that of the reference, or null. */
export function measure(y: Curve, r: Curve | null, from: number, to: number, step: Step | null): Measures {
  const part = between(y, from, to);
  const rms = rmsOf(part, r);
  if (step === null || part.t.length < 2) return { rms, overshoot: null, settling: null };
  const size = step.to - step.from;
  const after = between(part, step.start, step.end);
  const beyond = after.y.map((v) => (v - step.to) / size); // of the step, positive beyond it
  const last = beyond.findLastIndex((v) => Math.abs(v) > band);
  const [a, b] = [beyond[last] ?? 0, beyond[last + 1]];
  const crossing = b === undefined ? 1 : (Math.abs(a) - band) / Math.max(Math.abs(a) - Math.abs(b), 1e-12);
  const [ta, tb] = [after.t[last] ?? step.start, after.t[last + 1]];
  return {
    rms,
    overshoot: 100 * beyond.reduce((m, v) => Math.max(m, v), 0),
    settling: last < 0 ? 0 : tb === undefined ? null : ta + Math.min(1, crossing) * (tb - ta) - step.start,
  };
}
