// Draws traces, gaps, cursors and the trigger on the scope's canvas.

import type uPlot from "uplot";
import type { Dot, View } from "./view";
import type { Raster } from "./raster";
import { penDash, type Drawn, type Trace } from "./trace";

const DOTTED = [2, 3]; // CSS pixels, of the recording compared

/** The theme's colours and font. */
export interface Inks {
  text: string;
  strong: string;
  grid: string;
  surface: string;
  accent: string;
  warn: string;
  pens: string[];
  font: string;
}

/** Maps times and values to device pixels. */
interface Mapping {
  left: number;
  top: number;
  width: number;
  height: number;
  ratio: number;
  x: (time: number) => number;
  y: (value: number, unit: string) => number;
}

/** Draws a view; key returns the name of a unit's scale. */
export function paint(u: uPlot, raster: Raster, view: View, inks: Inks, key: (unit: string) => string): void {
  const { left, top, width, height } = u.bbox;
  const perSecond = width / (view.to - view.from);
  const map: Mapping = {
    left,
    top,
    width,
    height,
    ratio: devicePixelRatio || 1,
    x: (time) => left + (time - view.from) * perSecond,
    y: (value, unit) => u.valToPos(value, key(unit), true),
  };
  const { ctx } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  paintZero(ctx, view, map, inks);
  paintLines(ctx, raster, view, map, inks);
  if (view.kind === "time") for (const drawn of view.drawn) if (drawn.trace.shown && drawn.offset === null) paintMarks(ctx, drawn, map, inks);
  for (const dot of view.dots) paintDot(ctx, dot, map, inks);
  paintCursors(ctx, view, map, inks);
  paintTrigger(ctx, view, map, inks);
  ctx.restore();
}

function paintZero(ctx: CanvasRenderingContext2D, view: View, map: Mapping, inks: Inks): void {
  const first = [...view.ranges.keys()][0];
  if (first === undefined) return;
  const y = Math.round(map.y(0, first)) + 0.5;
  stroke(ctx, inks.text, map.ratio * 0.6, []);
  line(ctx, map.left, y, map.left + map.width, y);
}

/** Draws all lines. */
function paintLines(ctx: CanvasRenderingContext2D, raster: Raster, view: View, map: Mapping, inks: Inks): void {
  const seen = view.drawn.filter((d) => d.trace.shown && d.line.length > 0);
  if (seen.length === 0) return;
  raster.begin(Math.round(map.width), Math.round(map.height));
  for (const { trace, line, offset } of seen) {
    const range = view.ranges.get(trace.unit);
    if (range === undefined) continue;
    const dash = offset === null ? (view.kind === "xy" ? [] : penDash(trace.pen)) : DOTTED;
    const stroke = { colour: penInk(trace, inks), thickness: 1.5 * map.ratio, dash: dash.map((d) => d * map.ratio) };
    if (view.kind === "xy") {
      raster.curve(line, (v) => map.x(v) - map.left, (v) => map.y(v, trace.unit) - map.top, stroke);
      continue;
    }
    const top = map.y(range.max, trace.unit);
    const perUnit = (map.y(range.min, trace.unit) - top) / (range.max - range.min);
    const from = view.kind === "time" ? view.from - (offset ?? 0) : view.from;
    const placement = { from, perSecond: map.width / (view.to - view.from), top: range.max + (top - map.top) / perUnit, perUnit };
    raster.line(line, placement, stroke);
  }
  raster.show(ctx, map.left, map.top);
}

/** Draws a line's marks: non-finite values at the bottom, and dots if samples are far apart. */
function paintMarks(ctx: CanvasRenderingContext2D, { trace, line }: Drawn, map: Mapping, inks: Inks): void {
  ctx.fillStyle = penInk(trace, inks);
  for (const time of line.gaps) ctx.fillRect(map.x(time) - map.ratio, map.top + map.height - 6 * map.ratio, 2 * map.ratio, 6 * map.ratio);
  const [first, last] = [line.xs[0] ?? 0, line.xs[line.length - 1] ?? 0];
  if (map.x(last) - map.x(first) > 12 * map.ratio * line.length) dots(ctx, line.xs, line.ys, line.length, map.x, (v) => map.y(v, trace.unit), 2 * map.ratio);
}

/** Draws a dot at each sample, to distinguish samples from the line between them. */
function dots(ctx: CanvasRenderingContext2D, xs: Float64Array, ys: Float64Array, length: number, x: (t: number) => number, y: (v: number) => number, radius: number): void {
  ctx.beginPath();
  for (let i = 0; i < length; i++) {
    const value = ys[i] as number;
    if (value !== value) continue;
    const [cx, cy] = [x(xs[i] as number), y(value)];
    ctx.moveTo(cx + radius, cy);
    ctx.arc(cx, cy, radius, 0, 2 * Math.PI);
  }
  ctx.fill();
}

function paintCursors(ctx: CanvasRenderingContext2D, view: View, map: Mapping, inks: Inks): void {
  view.cursors?.forEach((time, i) => {
    const x = Math.round(map.x(time)) + 0.5;
    stroke(ctx, inks.strong, map.ratio, [4 * map.ratio, 3 * map.ratio]);
    line(ctx, x, map.top, x, map.top + map.height);
    label(ctx, i === 0 ? "A" : "B", x, map.top, inks.strong, inks, map.ratio);
    for (const { trace, ring, offset } of view.drawn) {
      const value = ring.at(time);
      if (offset !== null || !trace.shown || Number.isNaN(value)) continue;
      ctx.setLineDash([]);
      ctx.fillStyle = inks.surface;
      ctx.strokeStyle = penInk(trace, inks);
      ctx.beginPath();
      ctx.arc(x, map.y(value, trace.unit), 3 * map.ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  });
}

/** Draws a marked point of an XY plot. */
function paintDot(ctx: CanvasRenderingContext2D, dot: Dot, map: Mapping, inks: Inks): void {
  const [x, y] = [map.x(dot.x), map.y(dot.y, dot.unit)];
  if (!Number.isFinite(x + y)) return;
  ctx.setLineDash([]);
  ctx.lineWidth = 2 * map.ratio;
  ctx.strokeStyle = inks.strong;
  ctx.fillStyle = inks.pens[dot.pen % inks.pens.length] ?? inks.text;
  ctx.beginPath();
  ctx.arc(x, y, 5 * map.ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  if (dot.label !== "") label(ctx, dot.label, x + 14 * map.ratio, y - 8 * map.ratio, inks.strong, inks, map.ratio);
}

function paintTrigger(ctx: CanvasRenderingContext2D, { trigger }: View, map: Mapping, inks: Inks): void {
  if (trigger === null) return;
  const colour = inks.pens[trigger.pen % inks.pens.length] ?? inks.text;
  const y = Math.round(Math.max(map.top, Math.min(map.top + map.height, map.y(trigger.level, trigger.unit)))) + 0.5;
  stroke(ctx, colour, map.ratio, [2 * map.ratio, 4 * map.ratio]);
  line(ctx, map.left, y, map.left + map.width, y);
  const right = map.left + map.width;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(right - 10 * map.ratio, y);
  ctx.lineTo(right, y - 6 * map.ratio);
  ctx.lineTo(right, y + 6 * map.ratio);
  ctx.fill();
  if (trigger.edge !== null) {
    const x = Math.round(map.x(trigger.edge)) + 0.5;
    stroke(ctx, colour, map.ratio, [2 * map.ratio, 4 * map.ratio]);
    line(ctx, x, map.top, x, map.top + map.height);
    label(ctx, "T", x, map.top, colour, inks, map.ratio);
  }
}

function penInk(trace: Trace, inks: Inks): string {
  return inks.pens[trace.pen % inks.pens.length] ?? inks.text;
}

function label(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, inks: Inks, ratio: number): void {
  ctx.setLineDash([]);
  ctx.fillStyle = colour;
  ctx.fillRect(x - 8 * ratio, y, 16 * ratio, 15 * ratio);
  ctx.fillStyle = inks.surface;
  ctx.font = inks.font.replace(/^\d+px/, `bold ${11 * ratio}px`);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(text, x, y + 8 * ratio);
}

function stroke(ctx: CanvasRenderingContext2D, colour: string, width: number, dash: number[]): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
}

function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
