// The curve of an XY plot: two signals at equal times, those of the samples of the horizontal one.

import type { Polyline } from "./decimate";
import { Interpolator } from "./interpolate";
import type { Ring } from "./ring";

/** Fills line with the pairs of values in [from, to] seconds; NaN lifts the pen. */
export function curve(x: Ring, y: Ring, from: number, to: number, line: Polyline): void {
  line.reset();
  const reader = new Interpolator(y);
  reader.seek(from);
  for (let i = x.search(from); i < x.end && x.time(i) <= to; i++) {
    const time = x.time(i);
    if (!reader.covers(time, x.newest)) break;
    const [a, b] = [x.value(i), reader.at(time)];
    if (Number.isNaN(a) || Number.isNaN(b)) line.lift(a);
    else line.add(a, b);
  }
}

/** Returns the pair of values at a time. */
export function pairAt(x: Ring, y: Ring, time: number): readonly [number, number] {
  return [valueAt(x, time), valueAt(y, time)];
}

function valueAt(ring: Ring, time: number): number {
  const reader = new Interpolator(ring);
  reader.seek(time);
  return reader.at(time);
}
