// A recorded log as a source of the scope: what is on the screen is asked of the server, as fine as the screen can show.

import type { Link } from "../../lib/link";
import type { LogInfo } from "../../lib/records";
import type { Frame, Value } from "../../lib/wire";
import type { Source } from "./feed";
import { Ring } from "./ring";
import { leaf, toWatch, type SignalInfo } from "./signals";

const settle = 80; // ms after the last change of the span
const capacity = 1 << 14;

export class RecordedLog {
  readonly rings = new Map<string, Ring>();
  readonly start: number;
  readonly end: number;
  readonly signals: SignalInfo[];
  problem = "";

  private timer: ReturnType<typeof setTimeout> | undefined;
  private sources: readonly Source[] = [];
  private shown = "";

  private constructor(
    private readonly link: Link,
    private readonly system: string,
    readonly file: string,
    private readonly info: LogInfo,
    private readonly onChange: () => void,
  ) {
    this.start = info.start_ns * 1e-9;
    this.end = info.end_ns * 1e-9;
    this.signals = info.signals.map(({ ref, element, type, unit }) => ({
      ref: element === undefined ? ref : `${ref}[${element}]`,
      type: element === undefined ? type : "float64",
      unit: unit ?? "",
      doc: "",
      kind: "out",
    }));
  }

  /** Opens a log; onChange is called when samples came. */
  static async open(link: Link, system: string, file: string, onChange: () => void): Promise<RecordedLog> {
    const info = await link.request("record.open", { system, file });
    return new RecordedLog(link, system, file, info, onChange);
  }

  /** Sees to it that the sources are there in a span (s), with at least `columns` columns; it asks once the span rests. */
  show(sources: readonly Source[], from: number, to: number, columns: number): void {
    const wanted = JSON.stringify([sources.map((s) => s.name), from, to, columns]);
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.sources = sources;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(from, to, columns), settle);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async read(from: number, to: number, columns: number): Promise<void> {
    const { sources } = this;
    if (sources.length === 0) return;
    // Half a screen more on either side: the next small move finds something there at once.
    const margin = (to - from) / 2;
    const begin = Math.max(this.start, from - margin);
    const end = Math.min(this.end, to + margin);
    try {
      const { s } = await this.link.request("record.read", {
        system: this.system,
        id: this.info.id,
        signals: sources.map(({ ref, path }) => toWatch(ref, path)),
        from_ns: Math.floor(begin * 1e9),
        to_ns: Math.ceil(end * 1e9),
        points: Math.min(capacity - 2, 4 * columns),
      });
      if (sources !== this.sources) return;
      this.rings.clear();
      sources.forEach(({ name, path }, index) => this.rings.set(name, fill(s.find(([i]) => i === index), path)));
      this.problem = "";
    } catch (e) {
      this.problem = e instanceof Error ? e.message : String(e);
    }
    this.onChange();
  }
}

function fill(series: Frame["s"][number] | undefined, path: string): Ring {
  const ring = new Ring(capacity);
  const [, times, values] = series ?? [0, [], []];
  const inside = /^\[\d+\]$/.test(path) ? "" : path; // elements were picked by the server
  for (let i = 0; i < times.length; i++) ring.push((times[i] ?? 0) * 1e-9, leaf((values[i] ?? "NaN") as Value, inside));
  return ring;
}
