// Measurements of a signal in a time span, for the table below the picture.

import type { Gaps, Ring } from "./ring";

export interface Measurement {
  least: number;
  greatest: number;
  mean: number;
  rms: number;
  /** Hz, from the times between rising crossings of the mean; NaN unless at least three crossings are evenly spaced: noise and steps have no rate. */
  frequency: number;
  samples: number;
}

/** A row of the table: one signal. */
export interface Reading extends Measurement {
  /** newest value; in a held picture the value at its end or at the pointer */
  now: number;
  a: number;
  b: number;
  gaps: Readonly<Gaps>;
}

const NOTHING: Measurement = { least: NaN, greatest: NaN, mean: NaN, rms: NaN, frequency: NaN, samples: 0 };

/** Measures the samples of ring in [from, to] seconds, without gaps. */
export function measure(ring: Ring, from: number, to: number): Measurement {
  const begin = ring.search(from);
  const end = ring.search(to);
  let [least, greatest, sum, squares, samples] = [Infinity, -Infinity, 0, 0, 0];
  for (let i = begin; i < end; i++) {
    const value = ring.value(i);
    if (Number.isNaN(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    sum += value;
    squares += value * value;
    samples++;
  }
  if (samples === 0) return NOTHING;
  const mean = sum / samples;
  const band = (greatest - least) * 0.1;
  return { least, greatest, mean, rms: Math.sqrt(squares / samples), frequency: frequency(ring, begin, end, mean, band), samples };
}

/** Reads a ring in [from, to] and at the times now, a and b; those are shifted by offset seconds. */
export function read(ring: Ring, [from, to]: readonly [number, number], now: number, [a, b]: readonly [number, number], offset = 0): Reading {
  return { ...measure(ring, from - offset, to - offset), now: ring.at(now - offset), a: ring.at(a - offset), b: ring.at(b - offset), gaps: { ...ring.gaps } };
}

/** Longest time between crossings of a periodic signal, beside the shortest. */
const uneven = 1.5;

function frequency(ring: Ring, begin: number, end: number, mean: number, band: number): number {
  let [first, last, crossings, below] = [NaN, NaN, 0, false];
  let [shortest, longest] = [Infinity, 0];
  for (let i = begin; i < end; i++) {
    const value = ring.value(i);
    if (Number.isNaN(value)) below = false;
    else if (value < mean - band) below = true;
    else if (below && value >= mean + band) {
      below = false;
      const time = ring.time(i);
      if (crossings++ === 0) first = time;
      else [shortest, longest] = [Math.min(shortest, time - last), Math.max(longest, time - last)];
      last = time;
    }
  }
  return crossings < 3 || longest > uneven * shortest ? NaN : (crossings - 1) / (last - first);
}
