// Values of ports for labels: the newest, ten times a second, or those of the time that is shown. All components share one watch.
import { SvelteMap } from "svelte/reactivity";
import type { Client, Watch } from "./client";
import { isKept, type Timeline } from "./timeline.svelte";
import type { Value } from "./wire";

const rate = 10; // frames a second
const settle = 150; // ms; collects changes of the followed ports
const retry = 3_000; // ms, after the system rejected a signal
const rest = 1e9; // ns of the system; a port without a new value for longer rests

export class Live {
  /** Value by port reference; reactive. */
  readonly values = new SvelteMap<string, Value>();

  private now = $state(0); // time of the system's newest sample in ns
  private readonly sampled = new Map<string, { time: number; age: number }>(); // of the newest values, in ns
  private formerRun = -1; // of the timeline: the system has been restarted since
  private readonly followers = new Map<string, number>();
  private readonly newest = new Map<string, Value>();
  private unfollow = (): void => undefined;
  private system = "";
  private watch: Watch | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watched = ""; // system and ports of the watch

  /** exists reports whether a port exists: the server rejects a watch with an unknown port. */
  constructor(
    private readonly client: Client,
    private readonly timeline: Timeline,
    private readonly exists: (ref: string) => boolean,
  ) {}

  choose(system: string): void {
    this.system = system;
    this.values.clear();
    this.newest.clear();
    this.sampled.clear();
    this.now = 0;
    this.formerRun = -1;
    this.restart();
  }

  /**
   * Returns how old the value of a port is, in ns: since it was acquired, or else written. Of a port that gets new values it is the age that each had when
   * it came. 0 where it is not known, and for values of the past.
   */
  age(ref: string): number {
    const { at, span } = this.timeline;
    const now = Math.max(this.now, span !== null && span.run !== this.formerRun ? span.end * 1e9 : 0);
    const last = this.sampled.get(ref);
    if (at !== null || last === undefined) return 0;
    return last.age + (now - last.time > rest ? now - last.time : 0);
  }

  /** Follows ports until the returned function is called. For $effect. */
  follow(refs: string[]): () => void {
    for (const r of refs) this.followers.set(r, (this.followers.get(r) ?? 0) + 1);
    this.restart();
    return () => {
      for (const r of refs) {
        const n = (this.followers.get(r) ?? 1) - 1;
        if (n > 0) this.followers.set(r, n);
        else this.followers.delete(r);
      }
      this.restart();
    };
  }

  /** Restarts the watch after a delay (ms) if the set of ports has changed. */
  restart(after = settle): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), after);
  }

  private begin(): void {
    const refs = [...this.followers.keys()].filter((r) => this.exists(r)).sort();
    const wanted = JSON.stringify([this.system, refs]);
    if (wanted === this.watched) return;
    this.watch?.stop();
    this.watch = undefined;
    this.watched = wanted;
    this.unfollow();
    this.unfollow = this.timeline.follow(refs, (values) => this.show(refs, values), () => this.showNewest());
    if (refs.length === 0 || this.system === "") return;
    this.watch = this.client.watch(
      this.system,
      refs.map((ref) => ({ ref })),
      rate,
      (f) => {
        if (f.t < this.now - rest) {
          this.sampled.clear(); // the system was restarted
          this.formerRun = this.timeline.span?.run ?? -1;
        }
        for (const [signal, times, values, age = 0] of f.s) {
          const ref = refs[signal];
          const value = values.at(-1);
          if (ref === undefined || value === undefined) continue;
          this.newest.set(ref, value);
          this.sampled.set(ref, { time: times.at(-1) ?? f.t, age });
          if (this.timeline.at === null) this.values.set(ref, value);
        }
        if (f.s.length > 0) this.now = f.t;
      },
      () => {
        this.watched = "";
        this.restart(retry);
      },
    );
  }

  /** Shows values of the past. A port without one has not changed since the server keeps it, unless it carries what is not kept. */
  private show(refs: string[], values: ReadonlyMap<string, Value>): void {
    for (const ref of refs) {
      const newest = this.newest.get(ref);
      const value = values.get(ref) ?? (isKept(newest) ? newest : undefined);
      if (value === undefined) this.values.delete(ref);
      else this.values.set(ref, value);
    }
  }

  private showNewest(): void {
    for (const [ref, value] of this.newest) this.values.set(ref, value);
  }
}
