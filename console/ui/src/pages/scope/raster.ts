// Draws lines into a pixel buffer that is copied to a canvas in one step. Without a graphics card a canvas takes tens of
// milliseconds for a line of a thousand zigzags; sixteen lines at 60 Hz need a method whose cost depends on the pixels only.
//
// Each pixel column is covered from the line's least to its greatest value, with antialiased ends.

import type { Polyline } from "./decimate";

/** Maps a polyline to pixels: x = (time - from) * perSecond, y = (top - value) * perUnit. */
export interface Placement {
  from: number;
  perSecond: number;
  top: number;
  perUnit: number;
}

/** Style of a line. */
export interface Stroke {
  /** "#rrggbb" */
  colour: string;
  /** in pixels */
  thickness: number;
  /** alternating drawn and skipped pixels along the time axis; empty for a solid line */
  dash: readonly number[];
}

const softest = 5; // pixels over which the end of a steep column fades
const farthest = 1e6; // pixels; values beyond are clamped
const nearest = 0.5; // pixels; closer points of a curve are skipped

export class Raster {
  width = 0;
  height = 0;
  /** Red, green, blue and opacity of each pixel, row by row. */
  bytes = new Uint8ClampedArray(0);
  private pixels = new Uint32Array(0); // the same buffer, one element per pixel
  private canvas: OffscreenCanvas | null = null;

  // state of the line being drawn
  private colour = new Uint8Array([0, 0, 0, 255]);
  private opaque = 0; // the colour as a pixel
  private half = 0;
  private drawn = Infinity;
  private cycle = Infinity;
  private phase = 0;

  /** Sets the size and clears the buffer. */
  begin(width: number, height: number): void {
    if (width === this.width && height === this.height) {
      this.pixels.fill(0);
      return;
    }
    [this.width, this.height] = [width, height];
    this.bytes = new Uint8ClampedArray(4 * width * height);
    this.pixels = new Uint32Array(this.bytes.buffer);
    this.canvas = null;
  }

  /** Draws a line; NaN lifts the pen. */
  line({ xs, ys, length }: Polyline, { from, perSecond, top, perUnit }: Placement, { colour, thickness, dash }: Stroke): void {
    this.take(colour, thickness, dash);
    this.phase = Math.floor(from * perSecond); // dashes move with the line
    let down = false;
    let [beforeX, beforeY, column, least, greatest] = [0, 0, 0, 0, 0];
    for (let i = 0; i < length; i++) {
      const value = ys[i] as number;
      if (value !== value) {
        if (down) this.cover(column, least, greatest);
        down = false;
        continue;
      }
      const x = ((xs[i] as number) - from) * perSecond;
      const y = clamp((top - value) * perUnit);
      if (!down) {
        down = true;
        column = Math.floor(x);
        least = greatest = y;
      } else {
        const slope = (y - beforeY) / (x - beforeX);
        if (column < -1 && x >= 0) {
          column = -1; // skip the invisible part
          least = greatest = beforeY - slope * (beforeX + 1);
        }
        for (const last = Math.min(Math.floor(x), this.width); column < last; ) {
          const edge = beforeY + slope * (column + 1 - beforeX);
          this.cover(column, Math.min(least, edge), Math.max(greatest, edge));
          column++;
          least = greatest = edge;
        }
        if (y < least) least = y;
        if (y > greatest) greatest = y;
      }
      [beforeX, beforeY] = [x, y];
    }
    if (down) this.cover(column, least, greatest);
  }

  /** Draws a curve that can return, given in pixels by x and y; NaN lifts the pen. */
  curve({ xs, ys, length }: Polyline, x: (value: number) => number, y: (value: number) => number, { colour, thickness, dash }: Stroke): void {
    this.take(colour, thickness, dash);
    let [beforeX, beforeY, walked] = [NaN, NaN, 0];
    for (let i = 0; i < length; i++) {
      const [nextX, nextY] = [clamp(x(xs[i] as number)), clamp(y(ys[i] as number))];
      if (Math.abs(nextX - beforeX) < nearest && Math.abs(nextY - beforeY) < nearest) continue;
      if (beforeX === beforeX && nextY === nextY) {
        if (this.cycle === Infinity || modulo(walked, this.cycle) < this.drawn) this.segment(beforeX, beforeY, nextX, nextY);
        walked += Math.hypot(nextX - beforeX, nextY - beforeY);
      }
      [beforeX, beforeY] = [nextY === nextY ? nextX : NaN, nextY];
    }
  }

  /** Draws a straight line: column by column if it is flat, row by row if it is steep. */
  private segment(x0: number, y0: number, x1: number, y1: number): void {
    const flat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
    let [along, across, last, end] = flat ? [x0, y0, x1, y1] : [y0, x0, y1, x1];
    if (along > last) [along, across, last, end] = [last, end, along, across];
    const slope = last > along ? (end - across) / (last - along) : 0;
    const half = this.half * Math.hypot(1, slope);
    const most = flat ? this.width : this.height;
    const wide = flat ? this.height : this.width;
    const [step, stepAcross] = flat ? [1, this.width] : [this.width, 1];
    for (let i = Math.max(0, Math.floor(along)), to = Math.min(most - 1, Math.floor(last)); i <= to; i++) {
      const middle = across + slope * (Math.min(last, Math.max(along, i + 0.5)) - along);
      const [begin, stop] = [middle - half - 0.5, middle + half + 0.5];
      for (let j = Math.max(0, Math.floor(begin)), until = Math.min(wide - 1, Math.ceil(stop) - 1); j <= until; j++) {
        const cover = Math.min(j + 0.5 - begin, stop - j - 0.5);
        const at = i * step + j * stepAcross;
        if (cover >= 1) this.pixels[at] = this.opaque;
        else if (cover > 0 && (this.bytes[4 * at + 3] as number) < 255 * cover) this.tint(4 * at, cover);
      }
    }
  }

  /** Covers a pixel that is covered less, so that overlapping segments of a curve do not thicken it. */
  private tint(at: number, cover: number): void {
    for (let i = 0; i < 3; i++) this.bytes[at + i] = this.colour[i] as number;
    this.bytes[at + 3] = 255 * cover;
  }

  /** Copies the buffer to a canvas. */
  show(ctx: CanvasRenderingContext2D, x: number, y: number): void {
    if (this.width === 0 || this.height === 0) return;
    this.canvas ??= new OffscreenCanvas(this.width, this.height);
    this.canvas.getContext("2d")?.putImageData(new ImageData(this.bytes, this.width, this.height), 0, 0);
    ctx.drawImage(this.canvas, x, y);
  }

  private take(colour: string, thickness: number, dash: readonly number[]): void {
    [1, 3, 5].forEach((at, i) => (this.colour[i] = parseInt(colour.slice(at, at + 2), 16)));
    this.opaque = new Uint32Array(this.colour.buffer)[0] as number;
    this.half = thickness / 2;
    const [drawn = Infinity, left = 0] = dash;
    [this.drawn, this.cycle] = [drawn, drawn + left];
  }

  /** Covers a column between two heights, and half the thickness beyond them. */
  private cover(column: number, least: number, greatest: number): void {
    if (column < 0 || column >= this.width || (this.cycle !== Infinity && modulo(this.phase + column, this.cycle) >= this.drawn)) return;
    const fade = Math.max(1, Math.min(softest, greatest - least));
    const begin = least - this.half - fade / 2; // first covered height
    const end = greatest + this.half + fade / 2;
    const last = Math.min(this.height - 1, Math.ceil(end) - 1);
    for (let row = Math.max(0, Math.floor(begin)), at = row * this.width + column; row <= last; row++, at += this.width) {
      const cover = Math.min(row + 0.5 - begin, end - row - 0.5) / fade;
      if (cover >= 1) this.pixels[at] = this.opaque;
      else if (cover > 0) this.blend(4 * at, cover);
    }
  }

  private blend(at: number, cover: number): void {
    const { bytes, colour } = this;
    const below = ((bytes[at + 3] as number) / 255) * (1 - cover);
    const all = cover + below;
    for (let i = 0; i < 3; i++) bytes[at + i] = ((colour[i] as number) * cover + (bytes[at + i] as number) * below) / all;
    bytes[at + 3] = 255 * all;
  }
}

function clamp(pixel: number): number {
  return Math.max(-farthest, Math.min(farthest, pixel));
}

function modulo(a: number, b: number): number {
  return a - b * Math.floor(a / b);
}
