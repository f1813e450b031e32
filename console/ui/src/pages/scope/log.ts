// A recorded log, or the last minutes, as the scope's source: requests the visible time span from the server, at screen resolution.

import type { Client } from "../../lib/client";
import type { TimeSource, Timeline } from "../../lib/timeline.svelte";
import type { Frame, Value } from "../../lib/wire";
import { messageOf } from "../../lib/errors";
import type { Source } from "./feed";
import { Ring } from "./ring";
import { leaf, toWatch, type SignalInfo } from "./signals";
import { gridOf } from "./spectrum";

const settle = 80; // ms after the last change of the span

/** Most samples of a signal that are loaded at a time. */
export const LOADED = 1 << 14;

/** Most samples of all signals in an answer: the server reduces more. */
const ANSWERED = 1 << 18;

export class RecordedLog {
  readonly rings = new Map<string, Ring>();
  problem = "";
  /** Whether only extremes of the span are loaded, where all samples were wanted. */
  reduced = false;

  private timer: ReturnType<typeof setTimeout> | undefined;
  private sources: readonly Source[] = [];
  private names: Set<string> | null = null;
  private shown = "";

  private constructor(
    readonly file: string,
    /** what is shown, for people */
    readonly kind: "Log" | "Past",
    private readonly span: () => { start: number; end: number },
    readonly signals: SignalInfo[],
    private readonly load: TimeSource["read"],
    private readonly onChange: () => void,
  ) {}

  get start(): number {
    return this.span().start;
  }

  get end(): number {
    return this.span().end;
  }

  /** Opens a log; onChange is called after new samples. */
  static async open(client: Client, system: string, file: string, onChange: () => void): Promise<RecordedLog> {
    const info = await client.request("record.open", { system, file });
    const span = { start: info.start_ns * 1e-9, end: info.end_ns * 1e-9 };
    const signals = info.signals.map(({ ref, element, type, unit }) => ({
      ref: element === undefined ? ref : `${ref}[${element}]`,
      type: element === undefined ? type : "float64",
      unit: unit ?? "",
      doc: "",
      kind: "out" as const,
    }));
    const read: TimeSource["read"] = async (signals, from, to, points) =>
      (await client.request("record.read", { system, id: info.id, signals, from_ns: Math.floor(from * 1e9), to_ns: Math.ceil(to * 1e9), points })).s;
    return new RecordedLog(file, "Log", () => span, signals, read, onChange);
  }

  /** Returns the last minutes of the running system, with its signals; onChange is called after new samples. */
  static past(timeline: Timeline, signals: SignalInfo[], onChange: () => void): RecordedLog {
    const read: TimeSource["read"] = (...args) => timeline.source?.read(...args) ?? Promise.resolve([]);
    return new RecordedLog("Last minutes", "Past", () => timeline.span ?? { start: 0, end: 1 }, signals, read, onChange);
  }

  /**
   * Loads the sources in a time span (s), once the span has not changed for 80 ms: with at least `columns` columns, or with exact
   * all samples, if they are at most LOADED.
   */
  show(sources: readonly Source[], from: number, to: number, columns: number, exact = false): void {
    const wanted = JSON.stringify([sources.map((s) => s.name), from.toFixed(6), to.toFixed(6), columns, exact]); // to 1 µs: the span of each frame differs in the last digits
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.sources = sources.flatMap((s) => this.located(s) ?? []);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(from, to, exact ? LOADED - 2 : Math.min(LOADED - 2, 4 * columns), exact), settle);
  }

  /** Reports whether the log has a signal. */
  has(source: Source): boolean {
    return this.located(source) !== null;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Returns a source as the log names it: a log lists each number of a list or structure. */
  private located(source: Source): Source | null {
    this.names ??= new Set(this.signals.map((s) => s.ref));
    if (this.names.has(source.ref)) return source;
    if (!this.names.has(source.name)) return null;
    return toWatch(source.ref, source.path).element === undefined ? { name: source.name, ref: source.name, path: "" } : source;
  }

  private async read(from: number, to: number, points: number, exact: boolean): Promise<void> {
    const { sources } = this;
    if (sources.length === 0) return;
    // Half a screen more on each side, so that small moves show samples immediately.
    const margin = (to - from) / 2;
    const begin = Math.max(this.start, from - margin);
    const end = Math.min(this.end, to + margin);
    try {
      const s = await this.load(sources.map(({ ref, path }) => toWatch(ref, path)), begin, end, points);
      if (sources !== this.sources) return;
      this.rings.clear();
      sources.forEach(({ name, path }, index) => this.rings.set(name, fill(s.find(([i]) => i === index), path)));
      const most = Math.min(points, ANSWERED / sources.length);
      this.reduced = exact && [...this.rings.values()].some((r) => r.end >= most / 2 && typeof gridOf(r, r.first, r.end) === "string");
      this.problem = "";
    } catch (e) {
      this.problem = messageOf(e);
    }
    this.onChange();
  }
}

function fill(series: Frame["s"][number] | undefined, path: string): Ring {
  const ring = new Ring(LOADED);
  const [, times, values] = series ?? [0, [], []];
  const inside = /^\[\d+\]$/.test(path) ? "" : path; // the server has selected the element
  for (let i = 0; i < times.length; i++) ring.push((times[i] ?? 0) * 1e-9, leaf((values[i] ?? "NaN") as Value, inside));
  return ring;
}
