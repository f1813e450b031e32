// Computes the samples of formulas from those of their signals, as they arrive.

import { evaluator, type Evaluator, type Formula } from "./formula";
import { Interpolator } from "./interpolate";
import { Ring } from "./ring";
import type { Trace } from "./trace";

/** The samples of a formula, at the times of its first signal; the others are interpolated. */
export class Derived {
  readonly ring: Ring;
  private readonly evaluator: Evaluator;
  private readonly values: Float64Array;
  private readers: Interpolator[] = [];
  private epochs: number[] = [];
  private next = 0;
  private fresh = true; // no sample since a break

  constructor(
    readonly formula: Formula,
    capacity: number,
  ) {
    this.ring = new Ring(capacity);
    this.evaluator = evaluator(formula);
    this.values = new Float64Array(formula.signals.length);
  }

  /** Computes the samples that have become possible. If the rings are complete, it does not wait for samples of other signals. */
  update(rings: ReadonlyMap<string, Ring>, complete: boolean): void {
    const { formula, ring, values } = this;
    if (this.changed(rings) && !this.restart(rings)) return;
    const [first, ...others] = this.readers;
    if (first === undefined) return;
    const source = first.ring;
    this.next = Math.max(this.next, source.first);
    for (; this.next < source.end; this.next++) {
      if (source.isBreak(this.next)) {
        ring.breakLine();
        this.evaluator.reset();
        this.fresh = true;
        continue;
      }
      const time = source.time(this.next);
      if (!complete && !others.every((o) => o.covers(time, source.newest))) return;
      values[0] = source.value(this.next);
      for (let i = 1; i < formula.signals.length; i++) values[i] = (others[i - 1] as Interpolator).at(time);
      const result = this.evaluator.at(values, time);
      // A derivative has no value at its first sample; that is no gap.
      if (!this.fresh || !Number.isNaN(result)) ring.push(time, result);
      this.fresh = false;
    }
  }

  /** Reports whether a signal has other samples than before: other rings, or rings that were cleared. */
  private changed(rings: ReadonlyMap<string, Ring>): boolean {
    if (this.readers.length === 0) return true;
    return this.formula.signals.some((name, i) => rings.get(name) !== this.readers[i]?.ring || this.readers[i]?.ring.epoch !== this.epochs[i]);
  }

  private restart(rings: ReadonlyMap<string, Ring>): boolean {
    this.readers = this.formula.signals.flatMap((name) => {
      const ring = rings.get(name);
      return ring === undefined ? [] : [new Interpolator(ring)];
    });
    this.epochs = this.readers.map((r) => r.ring.epoch);
    this.ring.clear();
    this.evaluator.reset();
    this.fresh = true;
    this.next = 0;
    if (this.readers.length === this.formula.signals.length) return true;
    this.readers = [];
    return false;
  }
}

/** The samples of traces: those of signals as they are recorded, those of formulas computed. */
export class Samples {
  private readonly derived = new Map<string, Derived>();
  private readonly all = new Map<string, Ring>();

  /** capacity: samples of a formula */
  constructor(private readonly capacity: number) {}

  /** Returns the samples by trace, from those by signal. */
  of(traces: readonly Trace[], rings: ReadonlyMap<string, Ring>, complete: boolean): ReadonlyMap<string, Ring> {
    const { all, derived, capacity } = this;
    all.clear();
    for (const { name, formula } of traces) {
      if (formula === null) {
        const ring = rings.get(name);
        if (ring !== undefined) all.set(name, ring);
        continue;
      }
      let d = derived.get(name);
      if (d === undefined) derived.set(name, (d = new Derived(formula, capacity)));
      d.update(rings, complete);
      all.set(name, d.ring);
    }
    for (const name of derived.keys()) if (!all.has(name)) derived.delete(name);
    return all;
  }
}
