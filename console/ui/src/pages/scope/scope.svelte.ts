// The scope's state: signals, time span, trigger and cursors. The page draws the result of view().

import type { Range } from "./axes";
import { messageOf } from "../../lib/errors";
import type { Comparison } from "./compare.svelte";
import { Samples } from "./derive";
import type { Feeder } from "./feed";
import { LOADED, type RecordedLog } from "./log";
import { read, type Reading } from "./measure";
import { Layout, type Pane } from "./layout.svelte";
import { MINUTE, type Ring } from "./ring";
import type { SignalInfo } from "./signals";
import { freePen, loadOf, MOST, originOf, sourcesOf, type Trace } from "./trace";
import { Trigger, type Shown, type TriggerSettings } from "./trigger";
import type { View } from "./view";
import { Views } from "./views";

/** Settings that survive a reload. */
export interface Saved {
  names: string[];
  panes: readonly Pane[];
  window: number;
  trigger: TriggerSettings;
  triggerOn: string;
  axes: Record<string, Range>;
}

/** A row of the table below the picture. */
export interface Row extends Reading {
  /** what the compared recording has; null if it has nothing */
  compared: Reading | null;
}

/** The contents of the plots. */
interface Picture {
  from: number;
  to: number;
  zero: number;
  /** Time of the trigger's edge. */
  edge: number | null;
  cursors: readonly [number, number] | null;
}

export class Scope {
  traces = $state.raw<readonly Trace[]>([]);
  /** The plots that show the traces. */
  readonly layout = new Layout();
  /** Name of the trace that key commands act on. */
  selected = $state("");
  /** Time span of the running picture in s. */
  window = $state(10);
  /** Time span of the held picture; null while it runs. */
  frozen = $state.raw<{ from: number; to: number; zero: number } | null>(null);
  trigger = $state.raw<TriggerSettings>({ mode: "off", edge: "rising", level: 0, hysteresis: 0, position: 0.2 });
  /** Name of the trigger's trace. */
  triggerOn = $state("");
  cursors = $state.raw<readonly [number, number] | null>(null);
  /** Ranges set by the user, by unit. */
  axes = $state.raw<Readonly<Record<string, Range>>>({});
  /** The open log; null for the running system. */
  log = $state.raw<RecordedLog | null>(null);
  /** The recording drawn over the picture. */
  comparison = $state.raw<Comparison | null>(null);
  /** Current state of the trigger. */
  state = $state<Shown["state"]>("rolling");

  private readonly triggers = new Trigger();
  /** Time at the mouse; null if it is elsewhere. */
  pointer: number | null = null;

  private readonly views = new Views();
  private readonly live = new Samples(MINUTE);
  private readonly logged = new Samples(LOADED);
  private left = 0; // start of the running picture, and of the held one before it was moved
  private sampled: ReadonlyMap<string, Ring> = new Map();
  private last: Picture | null = null;

  constructor(private readonly feeder: Feeder) {}

  /** Adds a signal, or a formula: "= " and its text. Returns why it cannot be added; "" if it was. */
  add(name: string, known: ReadonlyMap<string, SignalInfo>): string {
    try {
      const trace: Trace = { ...originOf(name, known), pen: freePen(this.traces), shown: true };
      if (this.traces.some((t) => t.name === trace.name)) return "";
      if (loadOf([...this.traces, trace]) > MOST) return `Limit: ${MOST} signals, those of formulas included. Remove one first.`;
      this.traces = [...this.traces, trace];
      this.layout.put(trace.name, this.layout.current);
      this.selected = trace.name;
      if (this.triggerOn === "") this.triggerOn = trace.name;
      return "";
    } catch (e) {
      return `${name}: ${messageOf(e)}`;
    }
  }

  remove(name: string): void {
    const at = this.traces.findIndex((t) => t.name === name);
    this.traces = this.traces.filter((t) => t.name !== name);
    this.layout.take(name);
    this.views.forget(name);
    if (this.selected === name) this.selected = (this.traces[at] ?? this.traces.at(-1))?.name ?? "";
    if (this.triggerOn === name) this.triggerOn = this.traces[0]?.name ?? "";
  }

  /** Removes a plot, and the signals that only it shows. */
  removePane(pane: Pane): void {
    this.layout.remove(pane.id);
    for (const name of pane.names) if (!this.layout.shows(name)) this.remove(name);
  }

  /** Removes a signal from a plot, and altogether if no other shows it. */
  take(name: string, pane: Pane): void {
    this.layout.take(name, pane.id);
    if (!this.layout.shows(name)) this.remove(name);
  }

  toggle(name: string): void {
    this.traces = this.traces.map((t) => (t.name === name ? { ...t, shown: !t.shown } : t));
  }

  /** Sets units that were unknown when the signals were added, before the structure was loaded. */
  learnUnits(known: ReadonlyMap<string, SignalInfo>): void {
    const fresh = this.traces.map((t) => {
      const now = originOf(t.name, known);
      return { ...t, ...now, unit: now.unit || t.unit };
    });
    if (JSON.stringify(fresh) !== JSON.stringify(this.traces)) this.traces = fresh;
  }

  /** Holds the picture. */
  pause(): void {
    if (this.frozen !== null || this.last === null) return;
    this.freeze(this.last.from, this.last.to);
  }

  /** Runs the picture again, or shows the whole log. */
  run(): void {
    if (this.log !== null) return this.freeze(this.log.start, this.log.end);
    this.frozen = null;
    this.feeder.hold(false);
    this.arm();
  }

  /** Holds the picture at a time span of at least 1 µs. */
  freeze(from: number, to: number): void {
    const least = 1e-6;
    const middle = (from + to) / 2;
    if (to - from < least) [from, to] = [middle - least / 2, middle + least / 2];
    this.frozen = { from, to, zero: this.log?.start ?? this.frozen?.zero ?? this.last?.zero ?? to };
    if (this.log === null) this.feeder.hold(true);
  }

  /** Scales the time span: about a time if the picture is held, otherwise the running time span. */
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

  /** Moves the picture by a fraction of its time span, and holds it. */
  pan(part: number): void {
    this.pause();
    const span = this.frozen;
    if (span !== null) this.freeze(span.from + part * (span.to - span.from), span.to + part * (span.to - span.from));
  }

  /** Arms the trigger again. */
  arm(): void {
    this.triggers.arm(this.rings.get(this.triggerOn) ?? null);
  }

  setTrigger(change: Partial<TriggerSettings>): void {
    this.trigger = { ...this.trigger, ...change };
    this.arm();
  }

  /** Sets the range of a unit's axis; null makes it automatic. */
  setAxis(unit: string, range: Range | null): void {
    const { [unit]: _, ...rest } = this.axes;
    this.axes = range === null ? rest : { ...rest, [unit]: range };
    this.views.refit(unit);
  }

  /** Fits all axes to the visible signals. */
  fit(): void {
    this.axes = {};
    this.views.refit();
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

  /** Samples by trace, those of formulas included, as of the last picture. */
  get rings(): ReadonlyMap<string, Ring> {
    return this.sampled;
  }

  /** Whether the next frame differs even if nothing has changed. */
  get pending(): boolean {
    return this.views.pending;
  }

  /** Returns what each plot shows, for a number of pixel columns; milliseconds is the current time, for the automatic axes. */
  picture(columns: number, milliseconds: number): View[] {
    const { traces, log } = this;
    this.sampled = log === null ? this.live.of(traces, this.feeder.rings, false) : this.logged.of(traces, log.rings, true);
    const { from, to, zero, edge } = this.span();
    const exact = traces.some((t) => t.formula !== null) || this.layout.panes.some((p) => p.kind !== "time");
    log?.show(sourcesOf(traces), from, to, columns, exact);
    const { comparison } = this;
    if (this.frozen === null) this.left = from;
    comparison?.show(traces, log?.start ?? this.left, from, to, columns, exact);
    const on = this.traces.find((t) => t.name === this.triggerOn && t.shown);
    const trigger = on === undefined || this.trigger.mode === "off" || this.log !== null ? null : { name: on.name, level: this.trigger.level, unit: on.unit, pen: on.pen, edge };
    const cursors = this.shiftedCursors(from, to);
    this.last = { from, to, zero, edge, cursors };
    const { rings, pointer, axes } = this;
    return this.views.of(this.layout.panes, { traces, rings, comparison, from, to, zero, cursors, pointer, trigger, axes, held: this.frozen !== null, columns, now: milliseconds });
  }

  /** Returns the table's rows, for the time span between the cursors or the whole picture. */
  measure(): Map<string, Row> {
    const view = this.last;
    const rows = new Map<string, Row>();
    if (view === null) return rows;
    const [a, b] = view.cursors ?? [NaN, NaN];
    let [from, to] = view.cursors === null ? [view.from, view.to] : [Math.min(a, b), Math.max(a, b)];
    if (this.log !== null) [from, to] = [Math.max(from, view.from), Math.min(to, view.to)]; // only this part is loaded
    const now = this.frozen === null ? Infinity : (this.pointer ?? view.to);
    const { comparison } = this;
    for (const { name } of this.traces) {
      const ring = this.rings.get(name);
      if (ring === undefined) continue;
      const other = comparison?.rings.get(name);
      const compared = other === undefined || comparison === null ? null : read(other, [from, to], Math.min(now, view.to), [a, b], comparison.offset);
      rows.set(name, { ...read(ring, [from, to], now, [a, b]), compared });
    }
    return rows;
  }

  private span(): { from: number; to: number; zero: number; edge: number | null } {
    const held = this.frozen;
    if (held !== null) return { ...held, edge: this.last?.edge ?? null };
    const now = Math.max(-Infinity, ...this.traces.map((t) => this.rings.get(t.name)?.newest ?? -Infinity));
    if (!Number.isFinite(now)) {
      if (this.state !== "rolling") this.state = "rolling";
      return { from: -this.window, to: 0, zero: 0, edge: null };
    }
    const shown = this.triggers.show(this.rings.get(this.triggerOn) ?? null, this.trigger, this.window, now);
    if (shown.state !== this.state) this.state = shown.state;
    return { from: shown.from, to: shown.to, zero: shown.edge ?? shown.to, edge: shown.edge };
  }

  /** Keeps the cursors at their screen positions while the picture runs. */
  private shiftedCursors(from: number, to: number): readonly [number, number] | null {
    const { cursors, last } = this;
    if (cursors === null || last === null || this.frozen !== null) return cursors;
    const place = (time: number): number => from + ((time - last.from) / (last.to - last.from)) * (to - from);
    const moved = [place(cursors[0]), place(cursors[1])] as const;
    if (moved[0] !== cursors[0] || moved[1] !== cursors[1]) this.cursors = moved;
    return moved;
  }
}

