// Recorded logs of the simulated systems.
import type { LogFile, LogInfo } from "../lib/records";
import type { Methods } from "../lib/methods";
import type { Frame, Signal, Value } from "../lib/wire";
import type { MockSystem } from "./system";

const start = 5; // s
const end = 65;

export function logsOf(s: MockSystem): LogFile[] {
  return [
    { file: `${s.name}.mcap`, size: 4_812_331, time_ns: Date.UTC(2026, 2, 14, 9, 26, 53) * 1e6 },
    { file: `${s.name}-before.mcap`, size: 96_404, time_ns: Date.UTC(2026, 2, 13, 17, 5, 1) * 1e6 },
  ];
}

export function openLog(s: MockSystem, file: string): LogInfo {
  if (!logsOf(s).some((l) => l.file === file)) throw new Error(`no log ${JSON.stringify(file)}`);
  const signals = s.structure.blocks.flatMap((b) =>
    (b.ports ?? [])
      .filter((p) => p.kind === "output" && p.type.startsWith("float"))
      .map((p) => ({ ref: `${b.name}.${p.name}`, type: p.type, ...(p.unit === undefined ? {} : { unit: p.unit }) })),
  );
  return { id: file, start_ns: start * 1e9, end_ns: end * 1e9, signals };
}

export function readLog(s: MockSystem, { signals, from_ns, to_ns, points }: Methods["record.read"]["args"]): { s: Frame["s"] } {
  return curves(s, signals, Math.max(start, from_ns / 1e9), Math.min(end, to_ns / 1e9), points);
}

export function readPast(s: MockSystem, { signals, from_ns, to_ns, points }: Methods["history.read"]["args"]): { s: Frame["s"] } {
  return curves(s, signals, Math.max(0, from_ns / 1e9), Math.min(s.now(), to_ns / 1e9), points);
}

function curves(s: MockSystem, signals: Signal[], from: number, to: number, points: number): { s: Frame["s"] } {
  return {
    s: signals.map(({ ref, element }, i) => {
      const step = Math.max(s.period(ref), (to - from) / points);
      const times = Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, k) => from + k * step);
      return [i, times.map((t) => Math.round(t * 1e9)), times.map((t) => chosen(s.sample(ref, t), element))];
    }),
  };
}

function chosen(v: Value, element: number | undefined): Value {
  return element !== undefined && Array.isArray(v) ? (v[element] ?? null) : v;
}
