// Values of a signal between its samples, for XY plots and formulas.

import type { Ring } from "./ring";

/** Longest time between samples (s) that is interpolated; a signal that is silent for longer holds its last value. */
export const LONGEST = 1;

/** Reads a ring at times that do not decrease, by linear interpolation; NaN before the first sample and in gaps. */
export class Interpolator {
  private next = 0; // the first sample at or after the last time

  constructor(readonly ring: Ring) {}

  /** Moves to the first sample at or after a time. */
  seek(time: number): void {
    this.next = this.ring.search(time);
  }

  /** Reports whether the value at a time is final, when now is the newest time of the other signals. */
  covers(time: number, now: number): boolean {
    return time <= this.ring.newest || now - this.ring.newest > LONGEST;
  }

  at(time: number): number {
    const { ring } = this;
    let i = Math.max(this.next, ring.first);
    while (i < ring.end && ring.time(i) < time) i++;
    this.next = i;
    if (i < ring.end && ring.time(i) === time) return ring.value(i);
    if (i === ring.first) return NaN;
    const [before, value] = [ring.time(i - 1), ring.value(i - 1)];
    if (i === ring.end || ring.time(i) - before > LONGEST) return value;
    return value + ((ring.value(i) - value) * (time - before)) / (ring.time(i) - before);
  }
}
