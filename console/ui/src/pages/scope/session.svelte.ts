// The scope while other pages are shown: its signals are recorded as long as any is selected, so that a returning user
// sees the time between. Memory is bounded by MOST signals with MINUTE samples each, about 17 MB.

import { untrack } from "svelte";
import type { App } from "../../lib/app.svelte";
import { Feeder } from "./feed";
import { messageOf } from "../../lib/errors";
import { Comparison } from "./compare.svelte";
import { FormulaError, readFormula } from "./formula";
import { RecordedLog } from "./log";
import { load, save } from "./storage";
import { Scope } from "./scope.svelte";
import { isScalar, leaves, signalsOf, watched, withUnits } from "./signals";
import { checkSignal, isFormula, loadOf, MOST, sourcesOf } from "./trace";

/** The scope of the selected system. */
export class ScopeSession {
  /** Counts updates; a picture drawn at the same count is up to date. */
  updates = 0;
  readonly feeder: Feeder;
  readonly scope: Scope;

  private readonly app: App;
  private readonly present = $derived.by(() => signalsOf(this.app.running.structure));
  /** All signals of the system, or of the open log. */
  readonly signals = $derived.by(() => (this.scope.log === null || this.scope.log === this.past ? this.present : withUnits(this.scope.log.signals, this.present)));
  readonly known = $derived.by(() => new Map(this.signals.map((s) => [s.ref, s])));
  /** Names of traces whose signals do not exist. */
  readonly missing = $derived.by(() => new Set(this.signals.length === 0 ? [] : this.scope.traces.filter((t) => !t.inputs.every((s) => this.known.has(s.ref))).map((t) => t.name)));
  private readonly watchable = $derived.by(() => {
    const there = new Set(this.present.map((s) => s.ref));
    return sourcesOf(this.scope.traces).filter((s) => there.has(s.ref));
  });
  private past = $state.raw<RecordedLog | null>(null); // shown while the time bar shows a time that has passed
  private unfilled = $state(""); // system whose scope still needs its default signals

  constructor(app: App) {
    this.app = app;
    this.feeder = new Feeder(app.client, () => this.updates++);
    this.scope = new Scope(this.feeder);
    this.start();
  }

  /** Adds a signal to a plot, otherwise to the current one; for an array or structure, all its numbers. */
  async add(name: string, pane?: number): Promise<void> {
    const { app, scope, known } = this;
    if (pane !== undefined) {
      scope.layout.current = pane;
      if (scope.traces.some((t) => t.name === name)) return scope.layout.put(name, pane);
    }
    let names = await this.numbersOf(name);
    const room = MOST - loadOf(scope.traces);
    if (names.length > room && room > 0) {
      app.notify(`${name} has ${names.length} numbers; showing the first ${room} (limit: ${MOST} signals)`);
      names = names.slice(0, room);
    }
    for (const n of names) {
      const problem = scope.add(n, known);
      if (problem !== "") return app.notify(problem, true);
      if (pane !== undefined) scope.layout.put(n, pane);
    }
  }

  /** Returns what is wrong with a text for add that is a formula; null if nothing is. */
  readonly check = (text: string): FormulaError | null => {
    if (!isFormula(text)) return null;
    const begin = text.indexOf("=") + 1;
    try {
      readFormula(text.slice(begin), (signal) => checkSignal(signal, this.known));
      return null;
    } catch (e) {
      return e instanceof FormulaError ? new FormulaError(e.message, begin + e.at) : new FormulaError(messageOf(e), begin);
    }
  };

  /** Draws only the given signals. The others are hidden but still recorded, and make room where needed, the oldest first. */
  async plot(names: readonly string[]): Promise<void> {
    const { scope } = this;
    if (scope.log !== null) this.closeLog();
    this.unfilled = "";
    const wanted = new Set<string>();
    for (const name of names) for (const n of await this.numbersOf(name)) wanted.add(n);
    const drawn = [...wanted].slice(0, MOST);
    if (drawn.length < wanted.size) this.app.notify(`The first ${MOST} of ${wanted.size} signals are shown, as at most ${MOST} can be drawn`);
    const extra = drawn.filter((n) => !scope.traces.some((t) => t.name === n)).length;
    const others = scope.traces.filter((t) => !wanted.has(t.name));
    for (const t of others.slice(0, Math.max(0, scope.traces.length + extra - MOST))) scope.remove(t.name);
    for (const t of scope.traces) if (t.shown !== wanted.has(t.name)) scope.toggle(t.name);
    for (const n of drawn) scope.add(n, this.known);
  }

  /** Returns the names of a signal's numbers: of an array or structure, all of them. */
  private async numbersOf(name: string): Promise<string[]> {
    const { app } = this;
    const info = this.known.get(name);
    if (info === undefined || isScalar(info.type) || this.scope.log !== null) return [name];
    const reading = await app.attempt(() => app.client.request("read", { system: app.system, ref: name }));
    if (reading === undefined) return [];
    const names = leaves(reading.value).map((path) => name + path);
    if (names.length === 0) app.notify(`${name} has no numeric value yet`, true);
    return names;
  }

  async openLog(file: string): Promise<void> {
    const { app, scope } = this;
    const log = await app.attempt(() => RecordedLog.open(app.client, app.system, file, () => this.updates++));
    if (log !== undefined) this.show(log);
    scope.cursors = null;
  }

  /** Draws a log over the picture. */
  async compare(file: string): Promise<void> {
    const { app, scope } = this;
    const log = await app.attempt(() => RecordedLog.open(app.client, app.system, file, () => this.updates++));
    if (log === undefined) return;
    this.endCompare();
    scope.comparison = new Comparison(log);
    scope.fit();
  }

  endCompare(): void {
    this.scope.comparison?.log.close();
    this.scope.comparison = null;
  }

  closeLog(): void {
    const { timeline } = this.app;
    if (this.scope.log === this.past) timeline.live();
    this.show(null);
    this.scope.cursors = null;
    this.lookBack(timeline.at);
  }

  /** Shows the time up to one that has passed; null: the present. An open log stays. */
  private lookBack(at: number | null): void {
    const { scope, past } = this;
    if (scope.log !== null && scope.log !== past) return;
    if (at === null) {
      this.past = null;
      if (past !== null) this.show(null);
      return;
    }
    if (past === null) {
      this.past = RecordedLog.past(this.app.timeline, this.present, () => this.updates++);
      scope.log = this.past;
    }
    scope.freeze(at - scope.window, at);
  }

  private show(log: RecordedLog | null): void {
    this.scope.log?.close();
    this.scope.log = log;
    this.scope.fit();
    this.scope.run();
  }

  private start(): void {
    const { app, scope, feeder } = this;
    // Restores a system's scope; the first time, it shows the signals that block authors marked for operators.
    $effect(() => {
      const { system } = app;
      untrack(() => this.begin(system));
    });
    $effect(() => {
      const { structure } = app.running;
      if (structure === null || this.known.size === 0 || this.unfilled !== app.system) return;
      untrack(() => {
        this.unfilled = "";
        for (const name of watched(structure)) scope.add(name, this.known);
      });
    });
    $effect(() => {
      const { at } = app.timeline;
      untrack(() => this.lookBack(at));
    });
    $effect(() => {
      const names = scope.traces.map((t) => t.name);
      if (app.system !== "") save(app.system, { names, panes: scope.layout.panes, window: scope.window, trigger: scope.trigger, triggerOn: scope.triggerOn, axes: scope.axes });
    });
    $effect(() => {
      const { known } = this;
      untrack(() => scope.learnUnits(known));
    });
    $effect(() => {
      const [system, watchable] = [app.system, this.watchable];
      if (app.running.structure !== null) untrack(() => feeder.follow(system, watchable));
    });
    $effect(() => {
      if (app.connection !== "connected") feeder.breakLines();
    });
  }

  private begin(system: string): void {
    const { scope } = this;
    this.feeder.clear();
    if (scope.log !== null) this.closeLog();
    this.endCompare();
    if (scope.frozen !== null) scope.run();
    const saved = load(system);
    scope.traces = [];
    scope.triggerOn = "";
    for (const name of saved?.names ?? []) scope.add(name, this.known);
    scope.layout.restore(saved?.panes, scope.traces.map((t) => t.name));
    this.unfilled = scope.traces.length === 0 ? system : "";
    if (saved !== null) Object.assign(scope, { window: saved.window, trigger: saved.trigger, triggerOn: saved.triggerOn, axes: saved.axes });
  }
}
