// Ranges of the vertical axes: one axis per unit, with round ends and hysteresis against flicker; and formatting of times and values.

import { typeset } from "../../lib/value";
import type { Polyline } from "./decimate";

/** Range of an axis, in its unit. */
export interface Range {
  min: number;
  max: number;
}

/** How an axis gets its range: automatically, or set by the user. */
export type RangeSetting = "auto" | Range;

/** Returns the smallest step of 1, 2 or 5 times a power of ten that is at least x > 0. */
export function roundStep(x: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  for (const factor of [1, 2, 5]) if (x <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

/**
 * Returns the smallest range with round ends, in about `divisions` steps, that contains [least, greatest]. Its ends keep a distance from what
 * is drawn: by default from all of it.
 */
export function roundRange(least: number, greatest: number, divisions = 8, drawn: Range = { min: least, max: greatest }): Range {
  if (!(least <= greatest)) return { min: -1, max: 1 };
  // A nearly constant signal is drawn as a line, without enlarging its last digits.
  const size = Math.max(Math.abs(least), Math.abs(greatest));
  const lack = (size === 0 ? 2 : size * 0.01) - (greatest - least);
  if (lack > 0) [least, greatest] = [least - lack / 2, greatest + lack / 2];
  const step = roundStep((greatest - least) / divisions);
  let min = Math.floor(least / step + 1e-9) * step;
  let max = Math.ceil(greatest / step - 1e-9) * step;
  if (drawn.min - min < step * 0.2) min -= step;
  if (max - drawn.max < step * 0.2) max += step;
  return { min, max };
}

/** Returns least and greatest value of several lines; null if no line has a point. */
export function extremes(lines: Iterable<Polyline>): Range | null {
  let [min, max] = [Infinity, -Infinity];
  for (const line of lines) {
    if (line.least < min) min = line.least;
    if (line.greatest > max) max = line.greatest;
  }
  return min <= max ? { min, max } : null;
}

/** An automatic range that widens immediately, and narrows only after the signals have used little of it for a while. */
export class AutoRange {
  private range: Range = { min: -1, max: 1 };
  private roomySince: number | null = null;
  private fresh = true;

  /** Returns the range for the visible extremes (null: none). now and patience in ms. */
  follow(shown: Range | null, now: number, patience = 1500): Range {
    if (shown === null) return this.range;
    const { min, max } = this.range;
    const margin = (max - min) / 100;
    const inside = shown.min >= min + margin && shown.max <= max - margin;
    const roomy = shown.max - shown.min < 0.6 * (max - min);
    if (this.fresh || !inside) {
      const kept = this.fresh ? shown : { min: Math.min(shown.min, min), max: Math.max(shown.max, max) };
      // The old range is kept only if it is of the same order: an old spike must not flatten the rest.
      const far = kept.max - kept.min > 4 * (shown.max - shown.min);
      this.range = far ? roundRange(shown.min, shown.max) : roundRange(kept.min, kept.max, 8, shown); // the end that is kept does not move
      this.fresh = false;
      this.roomySince = null;
    } else if (!roomy) this.roomySince = null;
    else if (this.roomySince === null) this.roomySince = now;
    else if (now - this.roomySince > patience) {
      const next = roundRange(shown.min, shown.max);
      if (next.max - next.min < 0.8 * (max - min)) this.range = next;
      this.roomySince = null;
    }
    return this.range;
  }

  /** Resets the range; the next follow fits it. */
  refit(): void {
    this.fresh = true;
  }
}

/** Time spans of the scope, in seconds. */
export const WINDOWS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60] as const;

/** Returns the next longer (1) or shorter (-1) time span. */
export function nextWindow(window: number, direction: -1 | 1): number {
  if (direction > 0) return WINDOWS.find((w) => w > window * 1.001) ?? WINDOWS[WINDOWS.length - 1] ?? window;
  return [...WINDOWS].reverse().find((w) => w < window * 0.999) ?? WINDOWS[0];
}

/** Formats a duration: 20 ms, 1.5 s, 2 min. */
export function formatDuration(seconds: number): string {
  const size = Math.abs(seconds);
  const digits = (x: number): string => String(Number(x.toPrecision(4)));
  if (size === 0) return "0 s";
  if (size < 1e-3) return `${digits(seconds * 1e6)} µs`;
  if (size < 1) return `${digits(seconds * 1e3)} ms`;
  if (size < 120) return `${digits(seconds)} s`;
  return `${digits(seconds / 60)} min`;
}

/** Formats a value with five significant digits in a stable width; NaN as a dash. */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return typeset(value.toExponential(3));
  const decimals = Math.max(0, 4 - Math.floor(Math.log10(size)));
  return typeset(value.toFixed(Math.min(decimals, 6)));
}

/** Formats a value for a display: whole numbers, such as counts, without decimals. */
export function formatReading(value: number): string {
  return Number.isInteger(value) ? formatTick(value) : formatValue(value);
}

/** Formats a round value without trailing digits. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return typeset(value.toExponential(1));
  return typeset(String(Number(value.toPrecision(7))));
}
