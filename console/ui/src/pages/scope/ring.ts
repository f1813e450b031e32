// A Ring holds the newest samples of one signal: bounded memory, in the order of time.
//
// Times are seconds of the system. A value that is no number (NaN, ±Inf) is kept as NaN and counted by its kind, so that it
// is drawn as a gap and can be said. With every block of 32 samples goes its least and greatest value: drawing a minute of
// 1 kHz then touches some thousand numbers and not sixty thousand.

/** Samples in a block with a summary of its own. */
export const BLOCK = 32;

/** Samples that a minute at 1 kHz needs, rounded up to a power of two. */
export const MINUTE = 1 << 16;

/** A value as it comes over the wire: JSON has no NaN and no infinity. */
export type WireValue = number | string | boolean;

/** How many values were none, by kind. */
export interface Gaps {
  nan: number;
  posInf: number;
  negInf: number;
}

export class Ring {
  readonly capacity: number;
  readonly gaps: Gaps = { nan: 0, posInf: 0, negInf: 0 };
  private readonly times: Float64Array;
  private readonly values: Float64Array;
  private readonly least: Float64Array;
  private readonly greatest: Float64Array;
  private readonly holed: Uint8Array; // 1: the line breaks in the block, 2: a value in it is no number
  private count = 0; // samples ever written; sample i lies at i & (capacity - 1)

  /** capacity must be a power of two and at least 2 * BLOCK. */
  constructor(capacity: number = MINUTE) {
    if (capacity < 2 * BLOCK || (capacity & (capacity - 1)) !== 0) {
      throw new RangeError(`a ring's capacity is a power of two, at least ${2 * BLOCK}: got ${capacity}`);
    }
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.values = new Float64Array(capacity);
    this.least = new Float64Array(capacity / BLOCK);
    this.greatest = new Float64Array(capacity / BLOCK);
    this.holed = new Uint8Array(capacity / BLOCK);
  }

  /** Number of the oldest sample that is still there. */
  get first(): number {
    return Math.max(0, this.count - this.capacity);
  }

  /** Number of the sample after the newest. */
  get end(): number {
    return this.count;
  }

  get empty(): boolean {
    return this.count === 0;
  }

  time(i: number): number {
    return this.times[i & (this.capacity - 1)] as number;
  }

  /** The value of a sample; NaN where it is no number, and where the line breaks. */
  value(i: number): number {
    const value = this.values[i & (this.capacity - 1)] as number;
    return value === Infinity ? NaN : value;
  }

  /** Whether sample i is no value but a break of the line. */
  isBreak(i: number): boolean {
    return this.values[i & (this.capacity - 1)] === Infinity;
  }

  /** Time of the newest sample, -Infinity where there is none. */
  get newest(): number {
    return this.count === 0 ? -Infinity : this.time(this.count - 1);
  }

  /** Time of the oldest sample, Infinity where there is none. */
  get oldest(): number {
    return this.count === 0 ? Infinity : this.time(this.first);
  }

  /** Appends a sample. Time that runs backwards is a system started anew: all before it is forgotten. */
  push(time: number, value: WireValue): void {
    if (time < this.newest) this.clear();
    const at = this.count & (this.capacity - 1);
    this.put(at, time, this.numeric(value));
  }

  /** Puts a gap after the newest sample: what follows is not joined to it. It is not counted as a value. */
  breakLine(): void {
    if (this.count === 0 || Number.isNaN(this.value(this.count - 1))) return;
    this.put(this.count & (this.capacity - 1), this.newest, Infinity);
  }

  private put(at: number, time: number, number: number): void {
    const block = (at / BLOCK) | 0;
    if (at % BLOCK === 0) {
      this.least[block] = Infinity;
      this.greatest[block] = -Infinity;
      this.holed[block] = 0;
    }
    this.times[at] = time;
    this.values[at] = number;
    if (!Number.isFinite(number)) this.holed[block] = Math.max(this.holed[block] as number, number === Infinity ? 1 : 2);
    else {
      if (number < (this.least[block] as number)) this.least[block] = number;
      if (number > (this.greatest[block] as number)) this.greatest[block] = number;
    }
    this.count++;
  }

  clear(): void {
    this.count = 0;
    this.gaps.nan = this.gaps.posInf = this.gaps.negInf = 0;
  }

  /** Number of the first sample not before time: end when all are before it. */
  search(time: number): number {
    let low = this.first;
    let high = this.count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether block summaries hold for the samples i..i+BLOCK-1: a whole block, all written. */
  wholeBlock(i: number): boolean {
    return i % BLOCK === 0 && i + BLOCK <= this.count;
  }

  /** Least value of the block that begins at i, Infinity where it has none: see wholeBlock. */
  leastOf(i: number): number {
    return this.least[this.block(i)] as number;
  }

  /** Greatest value of the block that begins at i, -Infinity where it has none. */
  greatestOf(i: number): number {
    return this.greatest[this.block(i)] as number;
  }

  /** What is not drawn in the block that begins at i: 0 nothing, 1 the line breaks, 2 a value is no number. */
  holesOf(i: number): number {
    return this.holed[this.block(i)] as number;
  }

  private block(i: number): number {
    return ((i & (this.capacity - 1)) / BLOCK) | 0;
  }

  /** Value at a time: the last one at or before it; NaN before the first. */
  at(time: number): number {
    let i = this.search(time);
    if (i === this.count || this.time(i) > time) i--;
    return i < this.first ? NaN : this.value(i);
  }

  private numeric(value: WireValue): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "boolean") return value ? 1 : 0;
    if (value === "+Inf" || value === Infinity) this.gaps.posInf++;
    else if (value === "-Inf" || value === -Infinity) this.gaps.negInf++;
    else this.gaps.nan++;
    return NaN;
  }
}

/** Says what was no number: "" where all were. */
export function sayGaps(gaps: Gaps): string {
  const parts: string[] = [];
  if (gaps.nan > 0) parts.push(`${gaps.nan} NaN`);
  if (gaps.posInf > 0) parts.push(`${gaps.posInf} +Inf`);
  if (gaps.negInf > 0) parts.push(`${gaps.negInf} −Inf`);
  return parts.join(", ");
}
