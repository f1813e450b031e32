// Computes what each plot shows: the samples of the visible time span as lines, curves or spectra, and the ranges of its axes.

import { AutoRange, extremes, formatValue, type Range } from "./axes";
import { curve, pairAt } from "./curve";
import { decimate, Polyline } from "./decimate";
import type { Pane } from "./layout.svelte";
import { Ring } from "./ring";
import { SpectrumLines } from "./spectra";
import { unitsOf, type Drawn, type Trace } from "./trace";
import type { Dot, View } from "./view";

/** Settings that all plots have in common. */
export interface Scene {
  traces: readonly Trace[];
  rings: ReadonlyMap<string, Ring>;
  /** The recording drawn over them, and the seconds to add to its times. */
  comparison: { rings: ReadonlyMap<string, Ring>; offset: number } | null;
  /** Visible time span, in seconds of the system. */
  from: number;
  to: number;
  zero: number;
  cursors: readonly [number, number] | null;
  /** Time at the mouse. */
  pointer: number | null;
  trigger: (View["trigger"] & { name: string }) | null;
  /** Ranges set by the user, by unit. */
  axes: Readonly<Record<string, Range>>;
  /** Whether the picture is held: its axes keep their ranges. */
  held: boolean;
  columns: number;
  /** Current time in ms, for the automatic axes. */
  now: number;
}

const nothing = new Ring(64);
const common = { cursors: null, trigger: null, dots: [], notes: [], readings: new Map<string, string>() };

/** Computes views, and keeps their lines and ranges from frame to frame. */
export class Views {
  private readonly ranges = new Map<string, AutoRange>();
  private readonly lines = new Map<string, Polyline>();
  private readonly spectra = new SpectrumLines();

  /** Whether some spectra still wait for their turn; the next frame computes them. */
  get pending(): boolean {
    return this.spectra.pending;
  }

  /** Returns the views of panes, in their order. */
  of(panes: readonly Pane[], scene: Scene): View[] {
    this.spectra.begin();
    return panes.map((pane) => {
      const traces = pane.names.flatMap((n) => scene.traces.filter((t) => t.name === n));
      if (pane.kind === "time") return this.time(pane, traces, scene);
      return pane.kind === "xy" ? this.xy(pane, traces, scene) : this.spectrum(pane, traces, scene);
    });
  }

  /** Fits the automatic axes of a unit, or all, to what they show next. */
  refit(unit?: string): void {
    for (const [key, range] of this.ranges) if (unit === undefined || key.endsWith(` ${unit}`)) range.refit();
  }

  /** Forgets a trace. */
  forget(name: string): void {
    for (const lines of [this.lines, this.spectra.slots]) for (const key of lines.keys()) if (key.endsWith(` ${name}`)) lines.delete(key);
  }

  private time(pane: Pane, traces: readonly Trace[], scene: Scene): View {
    const { from, to, zero, cursors, trigger } = scene;
    const drawn = this.drawn(pane, traces, scene);
    for (const { trace, ring, line, offset } of drawn) if (trace.shown) decimate(ring, from - (offset ?? 0), to - (offset ?? 0), scene.columns, line);
    const own = trigger !== null && pane.names.includes(trigger.name) ? trigger : null;
    return { ...common, kind: "time", from, to, zero, across: "", ranges: this.rangesOf(pane, traces, drawn, scene), cursors, trigger: own, drawn };
  }

  private xy(pane: Pane, traces: readonly Trace[], scene: Scene): View {
    const [across, ...others] = traces;
    if (across === undefined || others.length === 0) {
      const notes = [across === undefined ? "Choose the signals of both axes" : "Add a signal for the vertical axis"];
      return { ...common, kind: "xy", from: -1, to: 1, zero: 0, across: across?.name ?? "", ranges: new Map([["", { min: -1, max: 1 }]]), drawn: [], notes };
    }
    let [min, max] = [Infinity, -Infinity];
    const dots: Dot[] = [];
    const drawn = this.drawn(pane, others, scene);
    for (const { trace, ring, line, offset } of drawn) {
      if (!trace.shown) continue;
      const x = (offset === null ? scene.rings : scene.comparison?.rings)?.get(across.name) ?? nothing;
      curve(x, ring, scene.from - (offset ?? 0), scene.to - (offset ?? 0), line);
      for (let i = 0; i < line.length; i++) {
        const value = line.xs[i] as number;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      if (offset !== null) continue;
      const dot = (time: number, label: string): void => {
        const [a, b] = pairAt(x, ring, time);
        dots.push({ x: a, y: b, unit: trace.unit, pen: trace.pen, label });
      };
      scene.cursors?.forEach((time, i) => dot(time, i === 0 ? "A" : "B"));
      dot(scene.pointer ?? Math.min(scene.to, x.newest, ring.newest), "");
    }
    const { min: from, max: to } = this.range(`${pane.id} across ${across.unit}`, across.unit, min <= max ? { min, max } : null, scene);
    const label = across.unit === "" ? across.name : `${across.name} [${across.unit}]`;
    return { ...common, kind: "xy", from, to, zero: 0, across: label, ranges: this.rangesOf(pane, others, drawn, scene), drawn, dots };
  }

  private spectrum(pane: Pane, traces: readonly Trace[], scene: Scene): View {
    const [notes, readings] = [[] as string[], new Map<string, string>()];
    const without = new Map<string, string[]>(); // signals without a spectrum, by the reason
    let highest = 0;
    const drawn = this.drawn(pane, traces, scene).map((d): Drawn => {
      const { trace, ring, offset } = d;
      const span = { ...scene, from: scene.from - (offset ?? 0), to: scene.to - (offset ?? 0) };
      const { spectrum, line } = this.spectra.of(key(pane, d), ring, trace.shown, pane.band, span);
      const { peak, problem, missing, rate } = spectrum;
      if (trace.shown) highest = Math.max(highest, spectrum.rate / 2);
      if (!trace.shown || offset !== null) return { ...d, line };
      if (problem !== "") without.set(problem, [...(without.get(problem) ?? []), trace.name]);
      else if (rate === 0) notes.push(`${trace.name}: the spectrum is being computed`);
      else if (peak === null) notes.push(`${trace.name} is constant in this span: its spectrum has no peak`);
      else if (missing > 0) notes.push(`${trace.name}: ${missing} missing ${missing === 1 ? "sample is" : "samples are"} interpolated`);
      if (peak !== null) readings.set(trace.name, `${formatValue(peak.frequency)} Hz · ${formatValue(peak.amplitude)}${trace.unit && ` ${trace.unit}`}`);
      return { ...d, line };
    });
    for (const [problem, names] of without) notes.push(`No spectrum of ${names.join(", ")}: ${problem}`);
    if (traces.length === 0) notes.push("Add a signal to see its spectrum");
    const ranges = this.rangesOf(pane, traces, drawn, { ...scene, axes: {} });
    for (const [unit, { max }] of ranges) ranges.set(unit, { min: 0, max: max > 0 ? max : 1 });
    const { min, max } = pane.band ?? { min: 0, max: highest || 1 };
    return { ...common, kind: "spectrum", from: min, to: max, zero: 0, across: "Hz", ranges, drawn, notes, readings };
  }

  /** Returns the traces with their samples and empty lines: first those of the recording compared, so that they are drawn below. */
  private drawn(pane: Pane, traces: readonly Trace[], { rings, comparison }: Scene): Drawn[] {
    const layer = (of: ReadonlyMap<string, Ring>, offset: number | null): Drawn[] =>
      traces.map((trace) => {
        const name = key(pane, { trace, offset });
        const line = this.lines.get(name) ?? new Polyline();
        this.lines.set(name, line);
        line.reset();
        return { trace, ring: of.get(trace.name) ?? nothing, line, offset };
      });
    return comparison === null ? layer(rings, null) : [...layer(comparison.rings, comparison.offset), ...layer(rings, null)];
  }

  /** Returns the range of each unit's axis; one axis without a unit if nothing is shown. */
  private rangesOf(pane: Pane, traces: readonly Trace[], drawn: readonly Drawn[], scene: Scene): Map<string, Range> {
    const ranges = new Map<string, Range>();
    for (const unit of unitsOf(traces)) {
      const lines = drawn.filter((d) => d.trace.shown && d.trace.unit === unit).map((d) => d.line);
      ranges.set(unit, this.range(`${pane.id} ${unit}`, unit, extremes(lines), scene));
    }
    if (ranges.size === 0) ranges.set("", { min: -1, max: 1 });
    return ranges;
  }

  private range(key: string, unit: string, shown: Range | null, { axes, held, now }: Scene): Range {
    const fixed = axes[unit];
    if (fixed !== undefined) return fixed;
    const auto = this.ranges.get(key) ?? new AutoRange();
    this.ranges.set(key, auto);
    return auto.follow(shown, now, held ? Infinity : 1500);
  }
}

/** Names a line of a pane; it ends with the trace's name. */
function key(pane: Pane, { trace, offset }: Pick<Drawn, "trace" | "offset">): string {
  return `${pane.id}${offset === null ? "" : " compared"} ${trace.name}`;
}
