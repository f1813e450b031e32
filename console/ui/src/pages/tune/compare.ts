// Compares how a signal behaved before and after a change of a parameter.
import { between, measure, stepsOf, type Curve, type Measures, type Step } from "./response";

export interface Comparison {
  before: Measures;
  after: Measures;
  /** what both curves begin with: the last step of the reference on each side, or the change itself */
  aligned: "step" | "change";
  /** times in s after that */
  curves: { before: Curve; after: Curve; reference: Curve | null };
  /** what limits the comparison; "" for nothing */
  note: string;
}

const lead = 0.05; // of the length, shown before a step
const alike = 0.05; // of a step: the difference of equal steps

/**
 * Compares the samples of a signal y, with its reference r, around a change at time `at`. Equal steps of the reference are compared,
 * the newest on each side; without steps on both sides, equal times. Returns null without samples on both sides.
 */
export function compare(y: Curve, r: Curve | null, at: number): Comparison | null {
  const [first = at, last = at] = [y.t[0], y.t.at(-1)];
  if (!(first < at && last > at)) return null;
  const pair = r === null ? null : steps(r, at);
  if (pair === null) {
    const length = Math.min(at - first, last - at);
    return sides(y, r, [at - length, at], length, null, r === null ? "Overshoot and settling need a reference" : "The reference has no step on both sides of the change");
  }
  const [a, b] = pair;
  const length = Math.min(a.end - a.start, b.end - b.start);
  const equal = Math.abs(a.from - b.from) + Math.abs(a.to - b.to) < 2 * alike * Math.abs(a.to - a.from);
  return sides(y, r, [a.start, b.start], length, pair, equal ? "" : "The steps before and after differ");
}

/** Returns the newest equal steps before and after a time, else the newest of each side; null if a side has none. */
function steps(r: Curve, at: number): [Step, Step] | null {
  const before = stepsOf(between(r, -Infinity, at));
  const found = stepsOf(between(r, at, Infinity));
  const whole = found.filter((s) => s.end < (r.t.at(-1) ?? 0)); // the newest may have just begun
  const after = whole.length > 0 ? whole : found;
  const [lastBefore, lastAfter] = [before.at(-1), after.at(-1)];
  if (lastBefore === undefined || lastAfter === undefined) return null;
  for (const b of after.toReversed()) {
    const a = before.findLast((x) => Math.abs(x.from - b.from) + Math.abs(x.to - b.to) < 2 * alike * Math.abs(b.to - b.from));
    if (a !== undefined) return [a, b];
  }
  return [lastBefore, lastAfter];
}

function sides(y: Curve, r: Curve | null, [a, b]: [number, number], length: number, pair: [Step, Step] | null, note: string): Comparison {
  const margin = pair === null ? 0 : lead * length;
  const cut = (c: Curve, start: number): Curve => {
    const part = between(c, start - margin, start + length);
    return { t: part.t.map((t) => t - start), y: part.y };
  };
  const to = (s: Step | undefined): Step | null => (s === undefined ? null : { ...s, end: s.start + length });
  return {
    before: measure(y, r, a, a + length, to(pair?.[0])),
    after: measure(y, r, b, b + length, to(pair?.[1])),
    aligned: pair === null ? "change" : "step",
    curves: { before: cut(y, a), after: cut(y, b), reference: r === null ? null : cut(r, b) },
    note,
  };
}
