// The scope's picture: uPlot provides axes, grid and the mapping from values to pixels; traces, cursors and trigger are
// drawn over it (paint.ts), so that the cost of a frame depends on what is visible and not on what is in memory.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatTick } from "./axes";
import type { PaneKind } from "./layout.svelte";
import { paint, type Inks } from "./paint";
import { Raster } from "./raster";
import type { View } from "./view";

const axisWidth = 62; // px, of the left axis; right axes are narrower
const labelWidth = 18;

/** State that a plot shares with those above and below it. */
export interface Frame {
  /** Whether the horizontal axis has labels. */
  bottom: boolean;
  /** Axes on the right for which space is kept, so that the time axes of all plots are in line. */
  right: number;
}

export class Plot {
  private plot: uPlot;
  private view: View | null = null;
  private inks: Inks;
  private units: readonly string[] = [];
  private shape = ""; // of the axes that are built
  private frame: Frame = { bottom: true, right: 0 };
  private readonly raster = new Raster();

  constructor(private readonly host: HTMLElement) {
    this.inks = readInks(host);
    this.plot = this.build();
  }

  /** The element over the traces, for pointer events. */
  get area(): HTMLElement {
    return this.plot.over;
  }

  /** Width of the traces' area in CSS pixels, the number of columns to compute. */
  get columns(): number {
    return Math.max(1, Math.round(this.plot.over.clientWidth));
  }

  /** Draws a view; rebuilds the axes if the units or the frame have changed. */
  draw(view: View, frame: Frame = { bottom: true, right: 0 }): void {
    this.view = view;
    const units = [...view.ranges.keys()];
    const shape = [view.kind, view.across, frame.bottom, frame.right, ...units].join("\n");
    if (shape !== this.shape) {
      [this.units, this.shape, this.frame] = [units, shape, frame];
      this.rebuild();
    }
    this.show();
  }

  /** Shows the line of the pointer at a time; null removes it. */
  point(time: number | null): void {
    this.plot.setCursor({ left: time === null ? -10 : this.xOf(time), top: -10 }, false);
  }

  resize(): void {
    this.plot.setSize(size(this.host));
    this.show();
  }

  /** Applies the theme's colours; to be called after a change of the theme. */
  recolour(): void {
    this.inks = readInks(this.host);
    this.rebuild();
    this.show();
  }

  /** Returns the time at a horizontal position in CSS pixels in area. */
  timeAt(x: number): number {
    return this.plot.posToVal(x, "x") + (this.view?.zero ?? 0);
  }

  xOf(time: number): number {
    return this.plot.valToPos(time - (this.view?.zero ?? 0), "x");
  }

  /** Returns the value on a unit's axis at a vertical position in CSS pixels in area. */
  valueAt(y: number, unit: string): number {
    return this.plot.posToVal(y, key(unit));
  }

  yOf(value: number, unit: string): number {
    return this.plot.valToPos(value, key(unit));
  }

  /** Shows a selection between two horizontal positions; null removes it. */
  select(box: readonly [number, number] | null): void {
    const [from, to] = box ?? [0, 0];
    this.plot.setSelect({ left: Math.min(from, to), width: Math.abs(to - from), top: 0, height: box === null ? 0 : this.plot.over.clientHeight }, false);
  }

  /** The canvas, for the export. */
  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  get ink(): Inks {
    return this.inks;
  }

  destroy(): void {
    this.plot.destroy();
  }

  private rebuild(): void {
    this.plot.destroy();
    this.plot = this.build();
    this.host.dispatchEvent(new CustomEvent("rebuilt"));
  }

  private show(): void {
    const view = this.view;
    if (view === null || !(view.to > view.from)) return;
    this.plot.batch(() => {
      for (const [unit, range] of view.ranges) this.plot.setScale(key(unit), range);
      this.plot.setScale("x", { min: view.from - view.zero, max: view.to - view.zero });
    });
  }

  private build(): uPlot {
    const { inks, frame } = this;
    const across = this.view?.across ?? "";
    const line = { stroke: inks.grid, width: 1 };
    const common = { stroke: inks.text, font: inks.font, ticks: { ...line, size: 5 }, labelFont: inks.font };
    const units = this.units.length === 0 ? [""] : this.units;
    const options: uPlot.Options = {
      ...size(this.host),
      padding: [10, Math.max(units.length > 1 ? 0 : 18, (frame.right - units.length + 1) * (axisWidth - 14 + labelWidth)), frame.bottom ? 0 : 8, 0],
      legend: { show: false },
      cursor: { points: { show: false }, drag: { setScale: false, x: false, y: false } },
      scales: {
        x: { time: false, auto: false, range: (_, min, max) => [min, max] },
        ...Object.fromEntries(units.map((u) => [key(u), { auto: false, range: fixed }])),
      },
      axes: [
        { ...common, scale: "x", grid: line, size: frame.bottom ? 30 : 0, space: 70, ...horizontal(this.view?.kind ?? "time", across, frame.bottom) },
        ...units.map((unit, i) => ({
          ...common,
          scale: key(unit),
          side: i === 0 ? 3 : 1,
          size: i === 0 ? axisWidth : axisWidth - 14,
          space: (_: uPlot, __: number, ___: number, ____: number, length: number) => (length < 200 * (devicePixelRatio || 1) ? 18 : 34),
          label: unit,
          labelSize: labelWidth,
          labelGap: 0,
          grid: { ...line, show: i === 0 },
          values: (_: uPlot, splits: number[]) => splits.map((v) => formatTick(v)),
        })),
      ],
      series: [{}, ...units.map((unit) => ({ scale: key(unit), points: { show: false } }))],
      // A plot that was replaced may still draw once, without the axes of the view.
      hooks: { draw: [(u) => u === this.plot && this.view !== null && paint(u, this.raster, this.view, this.inks, key)] },
    };
    return new uPlot(options, [[0, 1], ...units.map(() => [null, null])], this.host);
  }
}

/** Returns uPlot's name for a unit's scale. */
function key(unit: string): string {
  return `y ${unit}`;
}

function fixed(_: uPlot, min: number | null, max: number | null): [number, number] {
  return min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max) ? [-1, 1] : [min, max];
}

function size(host: HTMLElement): { width: number; height: number } {
  return { width: Math.max(120, host.clientWidth), height: Math.max(80, host.clientHeight) };
}

function horizontal(kind: PaneKind, across: string, labelled: boolean): Partial<uPlot.Axis> {
  if (!labelled) return { values: (_, splits) => splits.map(() => ""), ticks: { show: false } };
  if (kind === "time") return { values: formatTimes };
  return { values: (_, splits) => splits.map(formatTick), label: across, labelSize: labelWidth, labelGap: 0 };
}

/** Formats times on the axis, in milliseconds for short time spans. */
function formatTimes(_: uPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 1) - (splits[0] ?? 0);
  const milli = span < 0.5 && splits.every((t) => Math.abs(t) < 10);
  return splits.map((t) => (milli ? `${formatTick(t * 1000)} ms` : `${formatTick(t)} s`));
}

function readInks(host: HTMLElement): Inks {
  const style = getComputedStyle(host);
  const ink = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: ink("--text-2"),
    strong: ink("--text"),
    grid: ink("--line"),
    surface: ink("--surface"),
    accent: ink("--accent"),
    warn: ink("--warn"),
    pens: Array.from({ length: 8 }, (_, i) => ink(`--s${i + 1}`)),
    font: `11px ${ink("--mono")}`,
  };
}
