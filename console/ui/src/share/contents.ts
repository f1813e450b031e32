// The contents of a shared page: a header as JSON, then numbers and files as bytes; compressed, in base64. The Go side is package console/share.
import type { Robot } from "../lib/robots";
import type { EventKind } from "../lib/wire";

/** The contents that the header describes. Places are bytes after the header. */
export interface Header {
  title: string;
  system: string;
  start_ns: number;
  end_ns: number;
  /** time of day of the end, RFC 3339; missing if it is unknown */
  wall?: string;
  notes: string[];
  /** about the whole run, such as its faults */
  facts: string[];
  robots: Robot[];
  plots: { title: string; signals: string[] }[];
  events: { time_ns: number; kind: EventKind; text: string; user?: string }[];
  slips: { time_ns: number; thread: string; count: number }[];
  /** parts that are missing */
  problems: string[];
  clocks: { at: number; count: number }[];
  signals: { name: string; ref: string; element?: number; unit: string; clock: number; at: number }[];
  files: Record<string, { at: number; size: number }>;
}

/** A number over time. */
export interface Series {
  name: string;
  ref: string;
  element: number | null;
  unit: string;
  /** ns, rising; signals of a port share them */
  times: Float64Array;
  values: Float64Array;
}

/** A run with its numbers and files. */
export interface Contents extends Omit<Header, "signals" | "clocks" | "files"> {
  series: Series[];
  /** by address */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Decodes the text of the page's element #run. */
export async function decode(text: string): Promise<Contents> {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpack(await new Response(stream).arrayBuffer());
}

/** Reads contents that are no longer compressed. */
export function unpack(data: ArrayBuffer): Contents {
  const body = 4 + new DataView(data).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, body - 4))) as Header;
  const { clocks, signals, files, ...rest } = header;
  const numbers = (at: number, count: number): Float64Array => new Float64Array(data, body + at, count);
  const times = clocks.map(({ at, count }) => numbers(at, count));
  const series = signals.map(({ clock, at, element, ...s }): Series => {
    const t = times[clock] ?? new Float64Array();
    return { ...s, element: element ?? null, times: t, values: numbers(at, t.length) };
  });
  return { ...rest, series, files: new Map(Object.entries(files).map(([name, { at, size }]) => [name, new Uint8Array(data, body + at, size)])) };
}
