// The range of a slider or gauge whose options and parameter state no bounds: around the values that it has shown.

import { roundStep, type Range } from "../../scope/axes";

/** Bounds that an option or a parameter states; undefined where it states none. */
export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

/** Collects the values of one binding. The range contains 0 and twice the values, with round ends; it grows and never shrinks. */
export class Span {
  private least = 0;
  private greatest = 0;
  private now: Range | null = null;

  /** The range for the values so far; null before the first. */
  get range(): Range | null {
    return this.now;
  }

  /** Adds a value, where it is finite, and returns the range for all values so far; null before the first. */
  follow(value: number): Range | null {
    if (!Number.isFinite(value)) return this.now;
    const known = this.least !== 0 || this.greatest !== 0;
    if (this.now !== null && value >= this.now.min && value <= this.now.max && (known || value === 0)) return this.now;
    this.least = Math.min(this.least, value);
    this.greatest = Math.max(this.greatest, value);
    this.now = { min: 0 - beyond(-this.least), max: beyond(this.greatest) };
    if (this.now.min === this.now.max) this.now = { min: -1, max: 1 }; // the value is 0
    return this.now;
  }
}

/** Returns the range of stated bounds, with the ends that are not stated taken from auto; null if one is missing in both. */
export function rangeOf(stated: Bounds, auto: Range | null): Range | null {
  const min = stated.min ?? auto?.min;
  const max = stated.max ?? auto?.max;
  if (min === undefined || max === undefined) return null;
  if (min < max) return { min, max };
  const size = Math.max(Math.abs(min), Math.abs(max)) || 1;
  return stated.max === undefined || stated.min !== undefined ? { min, max: min + size } : { min: max - size, max };
}

/** Reads a number as a user types it, with a decimal point or comma; NaN if the text is no number. */
export function readNumber(text: string): number {
  const t = text.trim().replace("−", "-").replace(",", ".");
  return t === "" ? NaN : Number(t);
}

function beyond(size: number): number {
  return size > 0 ? roundStep(2 * size) : 0;
}
