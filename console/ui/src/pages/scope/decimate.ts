// Reduces a time span of a signal to screen resolution: the least and greatest value of each pixel column, in the order
// of their times, so that no spike is lost and no false line is drawn.

import { BLOCK, type Ring } from "./ring";

/** Points of a polyline; NaN in ys lifts the pen. Only the first `length` points are valid; the arrays are reused. */
export class Polyline {
  xs: Float64Array;
  ys: Float64Array;
  length = 0;
  /** Times of non-finite values, at least one per column that has any. */
  readonly gaps: number[] = [];
  /** Least and greatest value of the points; Infinity, -Infinity without points. */
  least = Infinity;
  greatest = -Infinity;

  constructor(capacity = 4096) {
    this.xs = new Float64Array(capacity);
    this.ys = new Float64Array(capacity);
  }

  reset(): void {
    this.length = 0;
    this.gaps.length = 0;
    this.least = Infinity;
    this.greatest = -Infinity;
  }

  add(x: number, y: number): void {
    if (this.length === this.xs.length) this.grow();
    this.xs[this.length] = x;
    this.ys[this.length] = y;
    this.length++;
    if (y < this.least) this.least = y;
    if (y > this.greatest) this.greatest = y;
  }

  /** Lifts the pen; repeated calls have no effect. */
  lift(x: number): void {
    if (this.length > 0 && Number.isNaN(this.ys[this.length - 1] as number)) return;
    this.add(x, NaN);
  }

  private grow(): void {
    const xs = new Float64Array(this.xs.length * 2);
    const ys = new Float64Array(this.ys.length * 2);
    xs.set(this.xs);
    ys.set(this.ys);
    this.xs = xs;
    this.ys = ys;
  }
}

/** The extremes of one column. */
interface Column {
  least: number;
  greatest: number;
  leastAt: number;
  greatestAt: number;
  hole: boolean;
  gap: boolean;
}

/**
 * Fills line with the samples of ring in [from, to] seconds and one more on each side, so that the line reaches the edges.
 * With more than two samples per column, each column is reduced to its extremes. Columns are aligned to multiples of their
 * width in absolute time, so that a scrolling picture does not flicker.
 */
export function decimate(ring: Ring, from: number, to: number, columns: number, line: Polyline): void {
  line.reset();
  if (ring.empty || !(to > from) || columns < 1) return;
  const begin = Math.max(ring.first, ring.search(from) - 1);
  const end = Math.min(ring.end, ring.search(to) + 1);
  if (end - begin <= 2 * columns) {
    for (let i = begin; i < end; i++) {
      const value = ring.value(i);
      if (Number.isNaN(value)) {
        line.lift(ring.time(i));
        if (!ring.isBreak(i)) line.gaps.push(ring.time(i));
      } else line.add(ring.time(i), value);
    }
    return;
  }
  const width = (to - from) / columns;
  const column: Column = { least: Infinity, greatest: -Infinity, leastAt: 0, greatestAt: 0, hole: false, gap: false };
  let current = Math.floor(ring.time(begin) / width);
  let edge = (current + 1) * width; // start of the next column
  let i = begin;
  while (i < end) {
    const time = ring.time(i);
    if (time >= edge) {
      flush(column, current * width, width, line);
      current = Math.floor(time / width);
      edge = (current + 1) * width;
    }
    if (ring.wholeBlock(i) && i + BLOCK <= end && ring.time(i + BLOCK - 1) < edge) {
      const [least, greatest, holes] = [ring.leastOf(i), ring.greatestOf(i), ring.holesOf(i)];
      if (least < column.least) {
        column.least = least;
        column.leastAt = i;
      }
      if (greatest > column.greatest) {
        column.greatest = greatest;
        column.greatestAt = i;
      }
      column.hole ||= holes > 0;
      column.gap ||= holes === 2;
      i += BLOCK;
      continue;
    }
    const value = ring.value(i);
    if (Number.isNaN(value)) {
      column.hole = true;
      column.gap ||= !ring.isBreak(i);
    } else {
      if (value < column.least) {
        column.least = value;
        column.leastAt = i;
      }
      if (value > column.greatest) {
        column.greatest = value;
        column.greatestAt = i;
      }
    }
    i++;
  }
  flush(column, current * width, width, line);
}

function flush(column: Column, start: number, width: number, line: Polyline): void {
  if (column.least <= column.greatest) {
    const rising = column.leastAt <= column.greatestAt;
    line.add(start + width / 4, rising ? column.least : column.greatest);
    if (column.least !== column.greatest) line.add(start + width / 2, rising ? column.greatest : column.least);
  }
  if (column.hole) line.lift(start + (3 * width) / 4);
  if (column.gap) line.gaps.push(start + width / 2);
  column.least = Infinity;
  column.greatest = -Infinity;
  column.hole = column.gap = false;
}
