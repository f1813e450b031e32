// Signals by name: "block.port", one element of an array as "block.port[3]", a leaf of a structure as "block.port.position[1]".

import type { Signal, Structure, Value } from "../../lib/wire";
import type { WireValue } from "./ring";

/** Something that can be drawn. */
export interface SignalInfo {
  /** Its port: "block.port". */
  ref: string;
  type: string;
  unit: string;
  doc: string;
  /** in, out, event or handler, as the structure says it. */
  kind: string;
}

/** A leaf of a port's value: where it lies, "" for the value itself. */
export type LeafPath = string;

/** All ports of a system, in the order of its blocks: outputs before inputs. */
export function signalsOf(structure: Structure | null): SignalInfo[] {
  const list: SignalInfo[] = [];
  for (const block of structure?.blocks ?? []) {
    const ports = (block.ports ?? []).map((p) => ({ ref: `${block.name}.${p.name}`, type: p.type, unit: p.unit ?? "", doc: p.doc ?? "", kind: p.kind }));
    const rank = (kind: string): number => (kind.startsWith("out") ? 0 : kind === "event" ? 1 : 2);
    list.push(...ports.sort((a, b) => rank(a.kind) - rank(b.kind)));
  }
  return list;
}

const FIRST = 6; // signals that a scope begins with at most

/** The numbers that the blocks' authors want operators to see: what a scope begins with. */
export function watched(structure: Structure): string[] {
  const all = structure.blocks.flatMap((b) => (b.ports ?? []).filter((p) => p.watch === true && isScalar(p.type)).map((p) => `${b.name}.${p.name}`));
  return all.slice(0, FIRST);
}

/** The signals in whose name, unit or doc all words of the query occur; matches in the name come first. */
export function search(signals: readonly SignalInfo[], query: string): SignalInfo[] {
  const words = query.toLowerCase().split(/\s+/).filter((w) => w !== "");
  if (words.length === 0) return [...signals];
  const score = (s: SignalInfo): number => {
    const [name, rest] = [s.ref.toLowerCase(), `${s.unit} ${s.doc}`.toLowerCase()];
    if (words.every((w) => name.includes(w))) return 2;
    return words.every((w) => name.includes(w) || rest.includes(w)) ? 1 : 0;
  };
  return signals
    .map((s) => ({ s, rank: score(s) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ s }) => s);
}

/** Recorded signals with the units that their ports have now, where the log tells none. */
export function withUnits(recorded: readonly SignalInfo[], present: readonly SignalInfo[]): SignalInfo[] {
  const units = new Map(present.map((s) => [s.ref, s.unit]));
  return recorded.map((s) => (s.unit === "" ? { ...s, unit: units.get(s.ref) ?? units.get(s.ref.replace(/(\[\d+\])+$/, "")) ?? "" } : s));
}

/** Whether a port's value is one number: the others have leaves that the value must tell. */
export function isScalar(type: string): boolean {
  return /^(bool|u?int\d*|float(32|64))$/.test(type);
}

/** The numeric leaves of a value: "" of a number, "[0]", "[1]" of an array, ".position[0]" of a structure. */
export function leaves(value: Value): LeafPath[] {
  if (Array.isArray(value)) return value.flatMap((v, i) => leaves(v).map((path) => `[${i}]${path}`));
  if (value !== null && typeof value === "object") {
    return Object.entries(value).flatMap(([name, v]) => leaves(v).map((path) => `.${name}${path}`));
  }
  return typeof value === "string" && !["NaN", "+Inf", "-Inf"].includes(value) ? [] : [""];
}

/** The value at a leaf; "NaN" where there is no such leaf. */
export function leaf(value: Value, path: LeafPath): WireValue {
  let at: Value | undefined = value;
  for (const step of path.matchAll(/\[(\d+)\]|\.([^.[]+)/g)) {
    if (step[1] !== undefined) at = Array.isArray(at) ? at[Number(step[1])] : undefined;
    else at = at !== null && typeof at === "object" && !Array.isArray(at) ? at[step[2] ?? ""] : undefined;
  }
  return typeof at === "number" || typeof at === "string" || typeof at === "boolean" ? at : "NaN";
}

/** Splits the name of a signal into its port and its leaf. Ports are known by name, since names may hold dots and brackets. */
export function splitName(name: string, known: ReadonlyMap<string, SignalInfo>): { ref: string; path: LeafPath } {
  if (known.has(name)) return { ref: name, path: "" };
  for (let end = name.length - 1; end > 0; end--) {
    if ((name[end] === "[" || name[end] === ".") && known.has(name.slice(0, end))) return { ref: name.slice(0, end), path: name.slice(end) };
  }
  const bracket = name.indexOf("[");
  return bracket < 0 ? { ref: name, path: "" } : { ref: name.slice(0, bracket), path: name.slice(bracket) };
}

/** What to watch for a leaf: elements of arrays are picked by the server, leaves of structures here. */
export function toWatch(ref: string, path: LeafPath): Signal {
  const element = /^\[(\d+)\]$/.exec(path)?.[1];
  return element === undefined ? { ref } : { ref, element: Number(element) };
}
