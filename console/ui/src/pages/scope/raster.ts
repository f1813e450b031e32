// Paints lines into pixels of its own, which go onto a canvas at once. A canvas without a graphics card strokes a line of a
// thousand zigzags in tens of milliseconds; sixteen of them, sixty times a second, need a way whose cost is that of the pixels.
//
// Each column of pixels is covered from the least to the greatest value that the line has in it, with soft ends.

import type { Polyline } from "./decimate";

/** How a polyline lies in the pixels: x = (time - from) * perSecond, y = (top - value) * perUnit. */
export interface Placement {
  from: number;
  perSecond: number;
  top: number;
  perUnit: number;
}

/** How a line looks. */
export interface Stroke {
  /** "#rrggbb" */
  colour: string;
  /** in pixels */
  thickness: number;
  /** pixels that are drawn and left out in turn, along the time; none where it is empty */
  dash: readonly number[];
}

const softest = 5; // pixels over which the end of a steep column fades
const farthest = 1e6; // pixels; beyond it a value is as good as at it

export class Raster {
  width = 0;
  height = 0;
  /** Red, green, blue and opacity of each pixel, row by row. */
  bytes = new Uint8ClampedArray(0);
  private pixels = new Uint32Array(0); // the same
  private canvas: OffscreenCanvas | null = null;

  // of the line that is painted
  private colour = new Uint8Array([0, 0, 0, 255]);
  private opaque = 0; // the colour as a pixel
  private half = 0;
  private drawn = Infinity;
  private cycle = Infinity;
  private phase = 0;

  /** Makes it so large, and empty. */
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

  /** Paints a line; NaN lifts the pen. */
  line({ xs, ys, length }: Polyline, { from, perSecond, top, perUnit }: Placement, { colour, thickness, dash }: Stroke): void {
    [1, 3, 5].forEach((at, i) => (this.colour[i] = parseInt(colour.slice(at, at + 2), 16)));
    this.opaque = new Uint32Array(this.colour.buffer)[0] as number;
    this.half = thickness / 2;
    const [drawn = Infinity, left = 0] = dash;
    [this.drawn, this.cycle] = [drawn, drawn + left];
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
      const y = Math.max(-farthest, Math.min(farthest, (top - value) * perUnit));
      if (!down) {
        down = true;
        column = Math.floor(x);
        least = greatest = y;
      } else {
        const slope = (y - beforeY) / (x - beforeX);
        if (column < -1 && x >= 0) {
          column = -1; // nothing of it is seen before
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

  /** Puts what was painted on a canvas. */
  show(ctx: CanvasRenderingContext2D, x: number, y: number): void {
    if (this.width === 0 || this.height === 0) return;
    this.canvas ??= new OffscreenCanvas(this.width, this.height);
    this.canvas.getContext("2d")?.putImageData(new ImageData(this.bytes, this.width, this.height), 0, 0);
    ctx.drawImage(this.canvas, x, y);
  }

  /** Covers a column between two heights, and half the thickness beyond them. */
  private cover(column: number, least: number, greatest: number): void {
    if (column < 0 || column >= this.width || (this.cycle !== Infinity && modulo(this.phase + column, this.cycle) >= this.drawn)) return;
    const fade = Math.max(1, Math.min(softest, greatest - least));
    const begin = least - this.half - fade / 2; // nothing above it
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

function modulo(a: number, b: number): number {
  return a - b * Math.floor(a / b);
}
