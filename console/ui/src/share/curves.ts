// Values of a run at a time, and over time.
import type { Series } from "./contents";
import type { Frame, Signal, Value } from "../lib/wire";

/** Returns the index of the last sample at or before a time in ns; -1 before the first. */
export function last(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A number as the protocol has it. */
function wire(v: number | undefined): Value {
  if (v === undefined || Number.isNaN(v)) return "NaN";
  return Number.isFinite(v) ? v : v > 0 ? "+Inf" : "-Inf";
}

export class Curves {
  private readonly byRef = new Map<string, Series[]>();

  constructor(series: readonly Series[]) {
    for (const s of series) this.byRef.set(s.ref, [...(this.byRef.get(s.ref) ?? []), s]);
  }

  /** Returns the value of a port at a time in ns: a number, or a list of them; undefined before its first sample. */
  at(ref: string, time: number): Value | undefined {
    const all = this.byRef.get(ref) ?? [];
    if (!all.some((s) => last(s.times, time) >= 0)) return undefined;
    const value = (s: Series | undefined): Value => wire(s?.values[last(s.times, time)]);
    if (all[0]?.element === null) return value(all[0]);
    return Array.from({ length: Math.max(...all.map((s) => s.element ?? 0)) + 1 }, (_, i) => value(all.find((s) => s.element === i)));
  }

  /** Returns what signals were in a span of time in ns; those with more points than asked for are reduced to extremes. */
  read(signals: readonly Signal[], from: number, to: number, points: number): Frame["s"] {
    return signals.flatMap(({ ref, element }, i): Frame["s"] => {
      const s = (this.byRef.get(ref) ?? []).find((x) => x.element === (element ?? null));
      if (s === undefined) return [];
      const [first, end] = [Math.max(0, last(s.times, from)), last(s.times, to) + 1];
      const kept = extremes(s.values, first, end, points);
      return [[i, kept.map((k) => s.times[k] ?? 0), kept.map((k) => wire(s.values[k]))]];
    });
  }
}

/** Returns the indices of at most about `points` values from first to before end: all of them, or the least and the greatest of equal parts. */
function extremes(values: Float64Array, first: number, end: number, points: number): number[] {
  const count = Math.max(0, end - first);
  if (count <= points) return Array.from({ length: count }, (_, i) => first + i);
  const parts = Math.max(1, Math.floor(points / 2));
  const kept: number[] = [];
  for (let p = 0; p < parts; p++) {
    const [from, to] = [first + Math.floor((p * count) / parts), first + Math.floor(((p + 1) * count) / parts)];
    let [least, greatest] = [from, from];
    for (let i = from; i < to; i++) {
      const v = values[i] ?? NaN;
      if (v < (values[least] ?? NaN) || Number.isNaN(v)) least = i;
      if (v > (values[greatest] ?? NaN)) greatest = i;
    }
    kept.push(...(least === greatest ? [least] : [Math.min(least, greatest), Math.max(least, greatest)]));
  }
  return kept;
}
