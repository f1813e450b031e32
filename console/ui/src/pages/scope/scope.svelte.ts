// The scope: which signals are drawn, which span of time, and what the trigger says. The page draws what view() returns.

import { AutoRange, extremes, type Range } from "./axes";
import { decimate, Polyline } from "./decimate";
import type { Feeder } from "./feed";
import type { RecordedLog } from "./log";
import { measure, type Measurement } from "./measure";
import type { View } from "./view";
import { Ring } from "./ring";
import { splitName, type SignalInfo } from "./signals";
import { freePen, MOST, unitsOf, type Drawn, type Trace } from "./trace";
import { Trigger, type Shown, type TriggerSettings } from "./trigger";

/** What a reload keeps. */
export interface Saved {
  names: string[];
  window: number;
  trigger: TriggerSettings;
  triggerOn: string;
  axes: Record<string, Range>;
}

/** A row of the table below the picture. */
export interface Row extends Measurement {
  /** Newest; of a held picture what it was at its end, or where the mouse is. */
  now: number;
  a: number;
  b: number;
  gaps: Readonly<Ring["gaps"]>;
}

const nothing = new Ring(64);

export class Scope {
  traces = $state.raw<readonly Trace[]>([]);
  /** Name of the trace that keys refer to. */
  selected = $state("");
  /** Seconds on the screen while it runs. */
  window = $state(10);
  /** The span that is held; null while the picture runs. */
  frozen = $state.raw<{ from: number; to: number; zero: number } | null>(null);
  trigger = $state.raw<TriggerSettings>({ mode: "off", edge: "rising", level: 0, hysteresis: 0, position: 0.2 });
  /** Name of the trace that triggers. */
  triggerOn = $state("");
  cursors = $state.raw<readonly [number, number] | null>(null);
  /** Ranges that were set by hand, by unit. */
  axes = $state.raw<Readonly<Record<string, Range>>>({});
  /** The recorded log in place of the running system. */
  log = $state.raw<RecordedLog | null>(null);
  /** What the picture does just now. */
  state = $state<Shown["state"]>("rolling");

  private readonly triggers = new Trigger();
  private readonly ranges = new Map<string, AutoRange>();
  private readonly lines = new Map<string, Polyline>();
  private last: View | null = null;

  constructor(private readonly feeder: Feeder) {}

  /** Adds a signal; says why not where it cannot. */
  add(name: string, known: ReadonlyMap<string, SignalInfo>): string {
    if (this.traces.some((t) => t.name === name)) return "";
    if (this.traces.length >= MOST) return `${MOST} signals are drawn at most: take one away first`;
    const { ref, path } = splitName(name, known);
    const trace: Trace = { name, ref, path, unit: known.get(ref)?.unit ?? "", pen: freePen(this.traces), shown: true };
    this.traces = [...this.traces, trace];
    this.selected = name;
    if (this.triggerOn === "") this.triggerOn = name;
    return "";
  }

  remove(name: string): void {
    const at = this.traces.findIndex((t) => t.name === name);
    this.traces = this.traces.filter((t) => t.name !== name);
    this.lines.delete(name);
    if (this.selected === name) this.selected = (this.traces[at] ?? this.traces.at(-1))?.name ?? "";
    if (this.triggerOn === name) this.triggerOn = this.traces[0]?.name ?? "";
  }

  toggle(name: string): void {
    this.traces = this.traces.map((t) => (t.name === name ? { ...t, shown: !t.shown } : t));
  }

  /** Units come with the structure, which may be later than the names. */
  learnUnits(known: ReadonlyMap<string, SignalInfo>): void {
    const fresh = this.traces.map((t) => ({ ...t, ...splitName(t.name, known) })).map((t) => ({ ...t, unit: known.get(t.ref)?.unit ?? t.unit }));
    if (JSON.stringify(fresh) !== JSON.stringify(this.traces)) this.traces = fresh;
  }

  /** Holds what is shown. */
  pause(): void {
    if (this.frozen !== null || this.last === null) return;
    this.freeze(this.last.from, this.last.to);
  }

  /** Runs again, or shows all of a log. */
  run(): void {
    if (this.log !== null) return this.freeze(this.log.start, this.log.end);
    this.frozen = null;
    this.feeder.hold(false);
    this.arm();
  }

  /** Shows a span of time, bounded by what there is. */
  freeze(from: number, to: number): void {
    const least = 1e-6;
    const middle = (from + to) / 2;
    if (to - from < least) [from, to] = [middle - least / 2, middle + least / 2];
    this.frozen = { from, to, zero: this.log?.start ?? this.frozen?.zero ?? this.last?.zero ?? to };
    if (this.log === null) this.feeder.hold(true);
  }

  /** Makes the span longer or shorter: about a time where the picture is held, the running window otherwise. */
  scale(factor: number, about: number | null, nextWindow: (window: number, direction: -1 | 1) => number): void {
    const span = this.frozen;
    if (span === null) {
      this.window = nextWindow(this.window, factor > 1 ? 1 : -1);
      this.arm();
      return;
    }
    const centre = about ?? (span.from + span.to) / 2;
    this.freeze(centre - (centre - span.from) * factor, centre + (span.to - centre) * factor);
  }

  /** Moves a held picture by a part of its span. */
  pan(part: number): void {
    this.pause();
    const span = this.frozen;
    if (span !== null) this.freeze(span.from + part * (span.to - span.from), span.to + part * (span.to - span.from));
  }

  /** Begins anew to look for edges. */
  arm(): void {
    this.triggers.arm(this.rings.get(this.triggerOn) ?? null);
  }

  setTrigger(change: Partial<TriggerSettings>): void {
    this.trigger = { ...this.trigger, ...change };
    this.arm();
  }

  /** Sets the range of a unit's axis by hand; null gives it back to the signals. */
  setAxis(unit: string, range: Range | null): void {
    const { [unit]: _, ...rest } = this.axes;
    this.axes = range === null ? rest : { ...rest, [unit]: range };
    this.ranges.get(unit)?.refit();
  }

  /** Fits all axes to what is shown. */
  fit(): void {
    this.axes = {};
    for (const range of this.ranges.values()) range.refit();
  }

  toggleCursors(): void {
    const view = this.last;
    if (this.cursors !== null || view === null) this.cursors = null;
    else this.cursors = [view.from + (view.to - view.from) / 3, view.from + (2 * (view.to - view.from)) / 3];
  }

  moveCursor(which: 0 | 1, time: number): void {
    const [a, b] = this.cursors ?? [time, time];
    this.cursors = which === 0 ? [time, b] : [a, time];
  }

  get rings(): ReadonlyMap<string, Ring> {
    return this.log?.rings ?? this.feeder.rings;
  }

  /** The picture for a screen so many columns wide; milliseconds for the axes' patience. */
  view(columns: number, milliseconds: number): View {
    const { from, to, zero, edge } = this.span();
    if (this.log !== null) this.log.show(this.traces, from, to, columns);
    const drawn = this.traces.map((trace): Drawn => this.draw(trace, from, to, columns));
    const ranges = new Map<string, Range>();
    for (const unit of unitsOf(this.traces)) ranges.set(unit, this.range(unit, drawn, milliseconds));
    if (ranges.size === 0) ranges.set("", { min: -1, max: 1 });
    const on = this.traces.find((t) => t.name === this.triggerOn && t.shown);
    const trigger = on === undefined || this.trigger.mode === "off" || this.log !== null ? null : { level: this.trigger.level, unit: on.unit, pen: on.pen, edge };
    return (this.last = { from, to, zero, ranges, cursors: this.shiftedCursors(from, to), trigger, drawn });
  }

  /** The numbers for the table: of the span between the cursors, or of all that is shown. pointer: the time where the mouse is. */
  measure(pointer: number | null = null): Map<string, Row> {
    const view = this.last;
    const rows = new Map<string, Row>();
    if (view === null) return rows;
    const [a, b] = view.cursors ?? [NaN, NaN];
    let [from, to] = view.cursors === null ? [view.from, view.to] : [Math.min(a, b), Math.max(a, b)];
    if (this.log !== null) [from, to] = [Math.max(from, view.from), Math.min(to, view.to)]; // no more of it is here
    for (const { trace, ring } of view.drawn) {
      const now = ring.empty ? NaN : this.frozen === null ? ring.value(ring.end - 1) : ring.at(pointer ?? view.to);
      rows.set(trace.name, { ...measure(ring, from, to), now, a: ring.at(a), b: ring.at(b), gaps: { ...ring.gaps } });
    }
    return rows;
  }

  private span(): { from: number; to: number; zero: number; edge: number | null } {
    const held = this.frozen;
    if (held !== null) return { ...held, edge: this.last?.trigger?.edge ?? null };
    const now = Math.max(-Infinity, ...this.traces.map((t) => this.rings.get(t.name)?.newest ?? -Infinity));
    if (!Number.isFinite(now)) {
      if (this.state !== "rolling") this.state = "rolling";
      return { from: -this.window, to: 0, zero: 0, edge: null };
    }
    const shown = this.triggers.show(this.rings.get(this.triggerOn) ?? null, this.trigger, this.window, now);
    if (shown.state !== this.state) this.state = shown.state;
    return { from: shown.from, to: shown.to, zero: shown.edge ?? shown.to, edge: shown.edge };
  }

  private draw(trace: Trace, from: number, to: number, columns: number): Drawn {
    const line = this.lines.get(trace.name) ?? new Polyline();
    this.lines.set(trace.name, line);
    const ring = this.rings.get(trace.name) ?? nothing;
    if (trace.shown) decimate(ring, from, to, columns, line);
    else line.reset();
    return { trace, ring, line };
  }

  private range(unit: string, drawn: readonly Drawn[], milliseconds: number): Range {
    const byHand = this.axes[unit];
    if (byHand !== undefined) return byHand;
    const auto = this.ranges.get(unit) ?? new AutoRange();
    this.ranges.set(unit, auto);
    const lines = drawn.filter((d) => d.trace.shown && d.trace.unit === unit).map((d) => d.line);
    return auto.follow(extremes(lines), milliseconds, this.frozen === null ? 1500 : Infinity);
  }

  /** Cursors stay where they are on the screen while the picture runs. */
  private shiftedCursors(from: number, to: number): readonly [number, number] | null {
    const { cursors, last } = this;
    if (cursors === null || last === null || this.frozen !== null) return cursors;
    const place = (time: number): number => from + ((time - last.from) / (last.to - last.from)) * (to - from);
    const moved = [place(cursors[0]), place(cursors[1])] as const;
    if (moved[0] !== cursors[0] || moved[1] !== cursors[1]) this.cursors = moved;
    return moved;
  }
}

