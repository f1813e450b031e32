// A Ring holds the newest samples of one signal in bounded memory, ordered by time.
//
// Times are seconds of the system. Non-finite values (NaN, ±Inf) are stored as NaN and counted by kind, so that they
// are drawn as gaps and reported. Each block of 32 samples has its least and greatest value, so that drawing a minute of
// 1 kHz reads some thousand numbers instead of sixty thousand.

/** Samples per summarized block. */
export const BLOCK = 32;

/** Samples of a minute at 1 kHz, rounded up to a power of two. */
export const MINUTE = 1 << 16;

/** A value of the protocol; NaN and infinity are strings in JSON. */
export type WireValue = number | string | boolean;

/** Numbers of non-finite values by kind. */
export interface Gaps {
  nan: number;
  posInf: number;
  negInf: number;
}

export class Ring {
  readonly capacity: number;
  /** Number of times that the ring was cleared. */
  epoch = 0;
  readonly gaps: Gaps = { nan: 0, posInf: 0, negInf: 0 };
  private readonly times: Float64Array;
  private readonly values: Float64Array;
  private readonly least: Float64Array;
  private readonly greatest: Float64Array;
  private readonly holed: Uint8Array; // 1: the block contains a break, 2: a non-finite value
  private count = 0; // samples written so far; sample i is at i & (capacity - 1)

  /** capacity must be a power of two and at least 2 * BLOCK. */
  constructor(capacity: number = MINUTE) {
    if (capacity < 2 * BLOCK || (capacity & (capacity - 1)) !== 0) {
      throw new RangeError(`capacity ${capacity}: must be a power of two, at least ${2 * BLOCK}`);
    }
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.values = new Float64Array(capacity);
    this.least = new Float64Array(capacity / BLOCK);
    this.greatest = new Float64Array(capacity / BLOCK);
    this.holed = new Uint8Array(capacity / BLOCK);
  }

  /** Index of the oldest stored sample. */
  get first(): number {
    return Math.max(0, this.count - this.capacity);
  }

  /** Index after the newest sample. */
  get end(): number {
    return this.count;
  }

  get empty(): boolean {
    return this.count === 0;
  }

  time(i: number): number {
    return this.times[i & (this.capacity - 1)] as number;
  }

  /** Returns the value of a sample; NaN for a non-finite value or a break. */
  value(i: number): number {
    const value = this.values[i & (this.capacity - 1)] as number;
    return value === Infinity ? NaN : value;
  }

  /** Reports whether sample i is a break of the line. */
  isBreak(i: number): boolean {
    return this.values[i & (this.capacity - 1)] === Infinity;
  }

  /** Time of the newest sample; -Infinity if empty. */
  get newest(): number {
    return this.count === 0 ? -Infinity : this.time(this.count - 1);
  }

  /** Time of the oldest sample; Infinity if empty. */
  get oldest(): number {
    return this.count === 0 ? Infinity : this.time(this.first);
  }

  /** Appends a sample. An earlier time means that the system has restarted: the ring is cleared first. */
  push(time: number, value: WireValue): void {
    if (time < this.newest) this.clear();
    const at = this.count & (this.capacity - 1);
    this.put(at, time, this.numeric(value));
  }

  /** Adds a break after the newest sample: the next sample is not joined to it. A break is not counted as a gap. */
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
    this.epoch++;
    this.gaps.nan = this.gaps.posInf = this.gaps.negInf = 0;
  }

  /** Returns the index of the first sample at or after time; end if there is none. */
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

  /** Reports whether the samples i..i+BLOCK-1 form a completely written block. */
  wholeBlock(i: number): boolean {
    return i % BLOCK === 0 && i + BLOCK <= this.count;
  }

  /** Returns the least value of the block starting at i; Infinity if it has none. */
  leastOf(i: number): number {
    return this.least[this.block(i)] as number;
  }

  /** Returns the greatest value of the block starting at i; -Infinity if it has none. */
  greatestOf(i: number): number {
    return this.greatest[this.block(i)] as number;
  }

  /** Returns the holes of the block starting at i: 0 none, 1 a break, 2 a non-finite value. */
  holesOf(i: number): number {
    return this.holed[this.block(i)] as number;
  }

  private block(i: number): number {
    return ((i & (this.capacity - 1)) / BLOCK) | 0;
  }

  /** Returns the last value at or before a time; NaN before the first sample. */
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

/** Formats the numbers of gaps; "" if there are none. */
export function formatGaps(gaps: Gaps): string {
  const parts: string[] = [];
  if (gaps.nan > 0) parts.push(`${gaps.nan} NaN`);
  if (gaps.posInf > 0) parts.push(`${gaps.posInf} +Inf`);
  if (gaps.negInf > 0) parts.push(`${gaps.negInf} −Inf`);
  return parts.join(", ");
}
