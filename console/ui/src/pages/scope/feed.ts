// Writes the frames of a watch into rings, one per signal.

import type { Client, Watch } from "../../lib/client";
import type { Frame, Signal, Value } from "../../lib/wire";
import { Ring } from "./ring";
import { leaf, toWatch, type LeafPath } from "./signals";

const rate = 60; // frames a second
const settle = 60; // ms; collects changes of the watched signals

/** A signal to watch. */
export interface Source {
  name: string;
  ref: string;
  path: LeafPath;
}

/** Watches signals and fills their rings. Existing samples are kept when other signals are added or removed. */
export class Feeder {
  readonly rings = new Map<string, Ring>();
  /** Samples dropped by the server or the connection. */
  lost = 0;
  /** Why the watch failed to start; "" while it runs. */
  problem = "";
  /** performance.now() of the last frame. */
  lastFrame = -Infinity;

  private watch: Watch | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = false;
  private followed = ""; // system and signals of the watch

  constructor(
    private readonly client: Client,
    private readonly onChange: () => void,
  ) {}

  /** Watches exactly these signals of a system from now on. Repeating a call has no effect. */
  follow(system: string, sources: readonly Source[]): void {
    const wanted = JSON.stringify([system, sources.map((s) => [s.name, s.ref, s.path])]);
    if (wanted === this.followed) return;
    this.followed = wanted;
    const names = new Set(sources.map((s) => s.name));
    for (const name of this.rings.keys()) if (!names.has(name)) this.rings.delete(name);
    for (const { name } of sources) {
      const ring = this.rings.get(name);
      if (ring === undefined) this.rings.set(name, new Ring());
      else ring.breakLine();
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(system, sources), settle);
  }

  /** While held, new samples are dropped and existing ones are kept. */
  hold(on: boolean): void {
    if (this.held && !on) this.breakLines();
    this.held = on;
  }

  /** Marks a break: the next samples are not joined to the previous ones. */
  breakLines(): void {
    for (const ring of this.rings.values()) ring.breakLine();
  }

  clear(): void {
    this.lost = 0;
    for (const ring of this.rings.values()) ring.clear();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.followed = "";
    this.end();
  }

  private end(): void {
    this.watch?.stop();
    this.watch = undefined;
  }

  private begin(system: string, sources: readonly Source[]): void {
    this.end();
    if (system === "" || sources.length === 0) return;
    // A watched signal can fill several rings: the leaves of a structure.
    const signals: Signal[] = [];
    const targets: { ring: Ring; path: LeafPath }[][] = [];
    const byKey = new Map<string, number>();
    for (const { name, ref, path } of sources) {
      const ring = this.rings.get(name);
      if (ring === undefined) continue;
      const signal = toWatch(ref, path);
      const key = JSON.stringify(signal);
      let index = byKey.get(key);
      if (index === undefined) {
        index = signals.push(signal) - 1;
        byKey.set(key, index);
        targets.push([]);
      }
      targets[index]?.push({ ring, path: signal.element === undefined ? path : "" });
    }
    this.problem = "";
    this.watch = this.client.watch(system, signals, rate, (f) => this.take(f, targets), (e) => this.fail(e));
  }

  private take(frame: Frame, targets: { ring: Ring; path: LeafPath }[][]): void {
    this.lastFrame = performance.now();
    if (this.problem !== "") this.problem = "";
    if (this.held) return;
    this.lost += frame.lost;
    for (const [index, times, values] of frame.s) {
      for (const { ring, path } of targets[index] ?? []) {
        for (let i = 0; i < times.length; i++) ring.push((times[i] ?? 0) * 1e-9, leaf((values[i] ?? "NaN") as Value, path));
      }
    }
    this.onChange();
  }

  private fail(error: Error): void {
    this.problem = error.message;
    this.followed = ""; // the next call of follow retries
    this.onChange();
  }
}
