// What of the scope goes on while other pages are shown: its signals are fed as long as any is chosen, so that whoever comes
// back sees what was meanwhile. Its memory is bounded by MOST signals of MINUTE samples each, about 17 MB.

import { untrack } from "svelte";
import type { Console } from "../../lib/console.svelte";
import { Feeder } from "./feed";
import { RecordedLog } from "./log";
import { load, save } from "./memory";
import { Scope } from "./scope.svelte";
import { isScalar, leaves, signalsOf, watched, withUnits } from "./signals";
import { MOST } from "./trace";

/** The scope of a console. It shows one system; another takes its place when the console shows another. */
export class ScopeSession {
  /** Counts what came: a picture that was drawn at the same number is still true. */
  arrivals = 0;
  readonly feeder: Feeder;
  readonly scope: Scope;

  private readonly app: Console;
  private readonly present = $derived.by(() => signalsOf(this.app.running.structure));
  /** All that may be drawn: of the system, or of the log. */
  readonly signals = $derived.by(() => (this.scope.log === null ? this.present : withUnits(this.scope.log.signals, this.present)));
  readonly known = $derived.by(() => new Map(this.signals.map((s) => [s.ref, s])));
  /** Names of the traces that do not exist now. */
  readonly missing = $derived.by(() => new Set(this.signals.length === 0 ? [] : this.scope.traces.filter((t) => !this.known.has(t.ref)).map((t) => t.name)));
  private readonly fed = $derived.by(() => {
    const there = new Set(this.present.map((s) => s.ref));
    return this.scope.traces.filter((t) => there.has(t.ref));
  });
  private unfilled = $state(""); // the system whose scope nobody has filled yet

  constructor(app: Console) {
    this.app = app;
    this.feeder = new Feeder(app.link, () => this.arrivals++);
    this.scope = new Scope(this.feeder);
    this.goOn();
  }

  /** Adds a signal; of an array or structure, all its numbers. */
  async add(name: string): Promise<void> {
    const { app, scope, known } = this;
    const info = known.get(name);
    let names = [name];
    if (info !== undefined && !isScalar(info.type) && scope.log === null) {
      const reading = await app.attempt(() => app.link.request("read", { system: app.system, ref: name }));
      if (reading === undefined) return;
      names = leaves(reading.value).map((path) => name + path);
      if (names.length === 0) app.say(`${name} has no number yet that could be drawn`, true);
    }
    const room = MOST - scope.traces.length;
    if (names.length > room && room > 0) {
      app.say(`${name} has ${names.length} numbers, and ${MOST} signals are drawn at most: here are the first ${room}`);
      names = names.slice(0, room);
    }
    for (const n of names) {
      const why = scope.add(n, known);
      if (why !== "") return app.say(why, true);
    }
  }

  async openLog(file: string): Promise<void> {
    const { app, scope } = this;
    const log = await app.attempt(() => RecordedLog.open(app.link, app.system, file, () => this.arrivals++));
    if (log !== undefined) this.show(log);
    scope.cursors = null;
  }

  closeLog(): void {
    this.show(null);
    this.scope.cursors = null;
  }

  private show(log: RecordedLog | null): void {
    this.scope.log?.close();
    this.scope.log = log;
    this.scope.fit();
    this.scope.run();
  }

  private goOn(): void {
    const { app, scope, feeder } = this;
    // A system's scope is as it was left; at first it shows what the blocks' authors want to be watched.
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
      const names = scope.traces.map((t) => t.name);
      if (app.system !== "") save(app.system, { names, window: scope.window, trigger: scope.trigger, triggerOn: scope.triggerOn, axes: scope.axes });
    });
    $effect(() => {
      const { known } = this;
      untrack(() => scope.learnUnits(known));
    });
    $effect(() => {
      const [system, fed] = [app.system, this.fed];
      if (app.running.structure !== null) untrack(() => feeder.follow(system, fed));
    });
    $effect(() => {
      if (app.connection !== "connected") feeder.breakLines();
    });
  }

  private begin(system: string): void {
    const { scope } = this;
    this.feeder.clear();
    if (scope.log !== null) this.closeLog();
    if (scope.frozen !== null) scope.run();
    const saved = load(system);
    scope.traces = [];
    scope.triggerOn = "";
    for (const name of saved?.names ?? []) scope.add(name, this.known);
    this.unfilled = scope.traces.length === 0 ? system : "";
    if (saved !== null) Object.assign(scope, { window: saved.window, trigger: saved.trigger, triggerOn: saved.triggerOn, axes: saved.axes });
  }
}
