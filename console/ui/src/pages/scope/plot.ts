// The picture of the scope: uPlot gives axes, grid and the mapping from values to pixels; traces, cursors and trigger are
// painted over it (paint.ts), so that a frame costs what is on the screen and not what is in memory.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { sayTick } from "./axes";
import { paint, type Inks } from "./paint";
import { Raster } from "./raster";
import type { View } from "./view";

const axisWidth = 62; // px, of the axis at the left; those at the right stand closer

export class Plot {
  private plot: uPlot;
  private view: View | null = null;
  private inks: Inks;
  private units: readonly string[] = [];
  private readonly raster = new Raster();

  constructor(private readonly host: HTMLElement) {
    this.inks = readInks(host);
    this.plot = this.build();
  }

  /** Where the traces lie within the page, for the pointer. */
  get area(): HTMLElement {
    return this.plot.over;
  }

  /** Width of the traces' area in CSS pixels: as many columns are worth computing. */
  get columns(): number {
    return Math.max(1, Math.round(this.plot.over.clientWidth));
  }

  /** Draws; axes are made anew when the units changed. */
  draw(view: View): void {
    this.view = view;
    const units = [...view.ranges.keys()];
    if (units.join("\n") !== this.units.join("\n")) {
      this.units = units;
      this.rebuild();
    }
    this.show();
  }

  resize(): void {
    this.plot.setSize(size(this.host));
    this.show();
  }

  /** To be called when light became dark, or dark light. */
  recolour(): void {
    this.inks = readInks(this.host);
    this.rebuild();
    this.show();
  }

  /** Time at a horizontal place in CSS pixels within area. */
  timeAt(x: number): number {
    return this.plot.posToVal(x, "x") + (this.view?.zero ?? 0);
  }

  xOf(time: number): number {
    return this.plot.valToPos(time - (this.view?.zero ?? 0), "x");
  }

  /** Value on a unit's axis at a vertical place in CSS pixels within area. */
  valueAt(y: number, unit: string): number {
    return this.plot.posToVal(y, key(unit));
  }

  yOf(value: number, unit: string): number {
    return this.plot.valToPos(value, key(unit));
  }

  /** Shows a box from one horizontal place to another; null takes it away. */
  select(box: readonly [number, number] | null): void {
    const [from, to] = box ?? [0, 0];
    this.plot.setSelect({ left: Math.min(from, to), width: Math.abs(to - from), top: 0, height: box === null ? 0 : this.plot.over.clientHeight }, false);
  }

  /** The canvas as it is: for the export. */
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
    const { inks } = this;
    const line = { stroke: inks.grid, width: 1 };
    const common = { stroke: inks.text, font: inks.font, ticks: { ...line, size: 5 }, labelFont: inks.font };
    const units = this.units.length === 0 ? [""] : this.units;
    const options: uPlot.Options = {
      ...size(this.host),
      padding: [10, units.length > 1 ? 0 : 18, 0, 0],
      legend: { show: false },
      cursor: { points: { show: false }, drag: { setScale: false, x: false, y: false } },
      scales: {
        x: { time: false, auto: false, range: (_, min, max) => [min, max] },
        ...Object.fromEntries(units.map((u) => [key(u), { auto: false, range: fixed }])),
      },
      axes: [
        { ...common, scale: "x", grid: line, size: 30, space: 70, values: sayTimes },
        ...units.map((unit, i) => ({
          ...common,
          scale: key(unit),
          side: i === 0 ? 3 : 1,
          size: i === 0 ? axisWidth : axisWidth - 14,
          space: (_: uPlot, __: number, ___: number, ____: number, length: number) => (length < 200 * (devicePixelRatio || 1) ? 18 : 34),
          label: unit,
          labelSize: 18,
          labelGap: 0,
          grid: { ...line, show: i === 0 },
          values: (_: uPlot, splits: number[]) => splits.map((v) => sayTick(v)),
        })),
      ],
      series: [{}, ...units.map((unit) => ({ scale: key(unit), points: { show: false } }))],
      hooks: { draw: [(u) => this.view !== null && paint(u, this.raster, this.view, this.inks, key)] },
    };
    return new uPlot(options, [[0, 1], ...units.map(() => [null, null])], this.host);
  }
}

/** uPlot's name for a unit's scale. */
function key(unit: string): string {
  return `y ${unit}`;
}

function fixed(_: uPlot, min: number | null, max: number | null): [number, number] {
  return min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max) ? [-1, 1] : [min, max];
}

function size(host: HTMLElement): { width: number; height: number } {
  return { width: Math.max(120, host.clientWidth), height: Math.max(80, host.clientHeight) };
}

/** Times along the axis: milliseconds where the span is short. */
function sayTimes(_: uPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 1) - (splits[0] ?? 0);
  const milli = span < 0.5 && splits.every((t) => Math.abs(t) < 10);
  return splits.map((t) => (milli ? `${sayTick(t * 1000)} ms` : `${sayTick(t)} s`));
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
