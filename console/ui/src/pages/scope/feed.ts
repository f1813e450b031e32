// Brings the frames of a watch into rings, one for each signal.

import type { Link, Watch } from "../../lib/link";
import type { Frame, Signal, Value } from "../../lib/wire";
import { Ring } from "./ring";
import { leaf, toWatch, type LeafPath } from "./signals";

const rate = 60; // frames a second: one for each picture
const settle = 60; // ms; changes of what is watched are gathered

/** A signal that is fed. */
export interface Source {
  name: string;
  ref: string;
  path: LeafPath;
}

/** Feeds rings. What was fed stays when others are added or taken away. */
export class Feeder {
  readonly rings = new Map<string, Ring>();
  /** Samples that the server or the line dropped. */
  lost = 0;
  /** Why the watch could not begin; "" while it runs. */
  problem = "";
  /** performance.now() of the last frame. */
  heard = -Infinity;

  private watch: Watch | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = false;
  private followed = ""; // system and signals of the watch

  constructor(
    private readonly link: Link,
    private readonly onChange: () => void,
  ) {}

  /** Feeds these signals of a system from now on, and no others. The same again changes nothing. */
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

  /** While held, new samples are dropped: what was there stays. */
  hold(on: boolean): void {
    if (this.held && !on) this.breakLines();
    this.held = on;
  }

  /** Says that what comes next does not follow on what was. */
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
    // One signal of the watch may feed several rings: the leaves of one structure.
    const signals: Signal[] = [];
    const fed: { ring: Ring; path: LeafPath }[][] = [];
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
        fed.push([]);
      }
      fed[index]?.push({ ring, path: signal.element === undefined ? path : "" });
    }
    this.problem = "";
    this.watch = this.link.watch(system, signals, rate, (f) => this.take(f, fed), (e) => this.fail(e));
  }

  private take(frame: Frame, fed: { ring: Ring; path: LeafPath }[][]): void {
    this.heard = performance.now();
    if (this.problem !== "") this.problem = "";
    if (this.held) return;
    this.lost += frame.lost;
    for (const [index, times, values] of frame.s) {
      for (const { ring, path } of fed[index] ?? []) {
        for (let i = 0; i < times.length; i++) ring.push((times[i] ?? 0) * 1e-9, leaf((values[i] ?? "NaN") as Value, path));
      }
    }
    this.onChange();
  }

  private fail(error: Error): void {
    this.problem = error.message;
    this.followed = ""; // the next call of follow tries again
    this.onChange();
  }
}
