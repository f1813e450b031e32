// What the scope measures of a signal in a span of time, as the table below the picture shows it.

import type { Ring } from "./ring";

export interface Measurement {
  least: number;
  greatest: number;
  mean: number;
  rms: number;
  /** Of a signal that swings about its mean, from the times between rising crossings; NaN where there are fewer than two. */
  frequency: number;
  samples: number;
}

const NOTHING: Measurement = { least: NaN, greatest: NaN, mean: NaN, rms: NaN, frequency: NaN, samples: 0 };

/** Measures the samples of ring in [from, to] seconds. Gaps are left out. */
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

function frequency(ring: Ring, begin: number, end: number, mean: number, band: number): number {
  let [first, last, crossings, below] = [NaN, NaN, 0, false];
  for (let i = begin; i < end; i++) {
    const value = ring.value(i);
    if (Number.isNaN(value)) below = false;
    else if (value < mean - band) below = true;
    else if (below && value >= mean + band) {
      below = false;
      crossings++;
      last = ring.time(i);
      if (crossings === 1) first = last;
    }
  }
  return crossings < 2 ? NaN : (crossings - 1) / (last - first);
}
