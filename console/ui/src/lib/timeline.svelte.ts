// The time that all pages show: the present, or a time that has passed. Values of the past come from a TimeSource; that of a running
// system is the server's history of the last minutes.
import type { Client } from "./client";
import type { Frame, Signal, Value } from "./wire";

/** The contents of a source; times are in s of the system. */
export interface TimeSpan {
  /** greater for each next run of a system */
  run: number;
  start: number;
  end: number;
  /** time of day of the end, ms since 1970 */
  wall: number;
  /** slips of threads, in each second with at least one */
  slips: { time: number; thread: string; count: number }[];
}

/** Values of ports at times that have passed: of a running system, or of a log. */
export interface TimeSource {
  span(): Promise<TimeSpan>;
  /** Returns the values at a time; those that the source does not have are missing. */
  at(refs: string[], time: number): Promise<ReadonlyMap<string, Value>>;
  /** Returns curves, as record.read does. */
  read(signals: Signal[], from: number, to: number, points: number): Promise<Frame["s"]>;
}

/** The last minutes of a running system, which the server keeps. */
export class LiveHistory implements TimeSource {
  constructor(
    private readonly client: Client,
    private readonly system: string,
  ) {}

  async span(): Promise<TimeSpan> {
    const s = await this.client.request("history.span", { system: this.system });
    return { run: s.run, start: s.start_ns * 1e-9, end: s.end_ns * 1e-9, wall: Date.parse(s.wall), slips: s.slips.map((x) => ({ time: x.time_ns * 1e-9, thread: x.thread, count: x.count })) };
  }

  async at(refs: string[], time: number): Promise<ReadonlyMap<string, Value>> {
    const { values } = await this.client.request("history.at", { system: this.system, refs, time_ns: Math.round(time * 1e9) });
    return new Map(Object.entries(values));
  }

  async read(signals: Signal[], from: number, to: number, points: number): Promise<Frame["s"]> {
    const { s } = await this.client.request("history.read", { system: this.system, signals, from_ns: Math.floor(from * 1e9), to_ns: Math.ceil(to * 1e9), points });
    return s;
  }
}

type Sink = (values: ReadonlyMap<string, Value>, time: number) => void;

export class Timeline {
  /** The time shown, in s of the system; null: the present. */
  at = $state<number | null>(null);
  /** The contents of the source; null until it is known. */
  span = $state.raw<TimeSpan | null>(null);
  /** Why values of the past cannot be shown; "" if they can. */
  problem = $state("");
  source: TimeSource | null = null;

  private readonly followers = new Map<symbol, { refs: readonly string[]; show: Sink; live: () => void }>();
  private asking = false;
  private again = false;

  /** Shows the present of another source. */
  choose(source: TimeSource | null): void {
    this.live();
    this.source = source;
    this.span = null;
  }

  /** Loads the span of the source. */
  async refresh(): Promise<void> {
    const { source } = this;
    if (source === null) return;
    try {
      const span = await source.span();
      if (source !== this.source) return;
      if (this.span !== null && span.run !== this.span.run) this.live(); // the system was restarted
      this.span = span;
    } catch {
      if (source === this.source && this.at === null) this.span = null; // the connection bar shows the cause
    }
  }

  /** Shows a time, at most that of the span's ends. */
  scrub(time: number): void {
    if (this.span === null) return;
    this.at = Math.min(this.span.end, Math.max(this.span.start, time));
    this.ask();
  }

  /** Shows the present. */
  live(): void {
    if (this.at === null) return;
    this.at = null;
    this.problem = "";
    for (const f of this.followers.values()) f.live();
  }

  /** Calls show with the values of ports at each time that is shown, and live when the present is shown again, until the returned function is called. */
  follow(refs: readonly string[], show: Sink, live: () => void): () => void {
    const key = Symbol();
    this.followers.set(key, { refs, show, live });
    if (this.at !== null) this.ask();
    return () => this.followers.delete(key);
  }

  /** Asks for all followed ports together; while an answer is on its way, only the newest time waits. */
  private ask(): void {
    if (this.asking) {
      this.again = true;
      return;
    }
    const { at, source } = this;
    const refs = [...new Set([...this.followers.values()].flatMap((f) => f.refs))];
    if (at === null || source === null || refs.length === 0) return;
    this.asking = true;
    source
      .at(refs, at)
      .then(
        (values) => {
          if (source !== this.source || this.at === null) return;
          this.problem = "";
          for (const f of this.followers.values()) f.show(values, at);
        },
        (e: unknown) => (this.problem = e instanceof Error ? e.message : String(e)),
      )
      .finally(() => {
        this.asking = false;
        if (this.again) {
          this.again = false;
          this.ask();
        }
      });
  }
}

/** Reports whether the server keeps values of this kind: numbers, booleans and lists of them. */
export function isKept(value: Value | undefined): boolean {
  const one = (v: Value | undefined): boolean => typeof v === "number" || typeof v === "boolean" || v === "NaN" || v === "+Inf" || v === "-Inf";
  return Array.isArray(value) ? value.every(one) : one(value);
}
