// Signal names: "block.port", an array element "block.port[3]", a leaf of a structure "block.port.position[1]".

import type { Signal, Structure, Value } from "../../lib/wire";
import type { WireValue } from "./ring";

/** A signal that can be drawn. */
export interface SignalInfo {
  /** port, "block.port" */
  ref: string;
  type: string;
  unit: string;
  doc: string;
  /** the port's kind */
  kind: string;
}

/** The path of a leaf in a port's value; "" for the value itself. */
export type LeafPath = string;

/** Returns all ports of a system in the order of its blocks, outputs before inputs. */
export function signalsOf(structure: Structure | null): SignalInfo[] {
  const list: SignalInfo[] = [];
  for (const block of structure?.blocks ?? []) {
    const ports = (block.ports ?? []).map((p) => ({ ref: `${block.name}.${p.name}`, type: p.type, unit: p.unit ?? "", doc: p.doc ?? "", kind: p.kind }));
    const rank = (kind: string): number => (kind.startsWith("out") ? 0 : kind === "event" ? 1 : 2);
    list.push(...ports.sort((a, b) => rank(a.kind) - rank(b.kind)));
  }
  return list;
}

const FIRST = 6; // most signals of a new scope

/** Returns the signals of a new scope: at most 6 of those that block authors marked for operators. */
export function watched(structure: Structure): string[] {
  const all = structure.blocks.flatMap((b) => (b.ports ?? []).filter((p) => p.watch === true && isScalar(p.type)).map((p) => `${b.name}.${p.name}`));
  return all.slice(0, FIRST);
}

/** Returns the signals whose name, unit or doc contains all words of the query, matches in the name first. */
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

/** Adds the current ports' units to recorded signals without a unit. */
export function withUnits(recorded: readonly SignalInfo[], present: readonly SignalInfo[]): SignalInfo[] {
  const units = new Map(present.map((s) => [s.ref, s.unit]));
  return recorded.map((s) => (s.unit === "" ? { ...s, unit: units.get(s.ref) ?? units.get(s.ref.replace(/(\[\d+\])+$/, "")) ?? "" } : s));
}

/** Reports whether a port's value is a single number. */
export function isScalar(type: string): boolean {
  return /^(bool|u?int\d*|float(32|64))$/.test(type);
}

/** Returns the paths of a value's numeric leaves: "" for a number, "[0]", "[1]" for an array, ".position[0]" for a structure. */
export function leaves(value: Value): LeafPath[] {
  if (Array.isArray(value)) return value.flatMap((v, i) => leaves(v).map((path) => `[${i}]${path}`));
  if (value !== null && typeof value === "object") {
    return Object.entries(value).flatMap(([name, v]) => leaves(v).map((path) => `.${name}${path}`));
  }
  return typeof value === "string" && !["NaN", "+Inf", "-Inf"].includes(value) ? [] : [""];
}

/** Returns the value at a leaf; "NaN" if it does not exist. */
export function leaf(value: Value, path: LeafPath): WireValue {
  let at: Value | undefined = value;
  for (const step of path.matchAll(/\[(\d+)\]|\.([^.[]+)/g)) {
    if (step[1] !== undefined) at = Array.isArray(at) ? at[Number(step[1])] : undefined;
    else at = at !== null && typeof at === "object" && !Array.isArray(at) ? at[step[2] ?? ""] : undefined;
  }
  return typeof at === "number" || typeof at === "string" || typeof at === "boolean" ? at : "NaN";
}

/** Splits a signal's name into port and leaf. It needs the known ports, as names can contain dots and brackets. */
export function splitName(name: string, known: ReadonlyMap<string, SignalInfo>): { ref: string; path: LeafPath } {
  if (known.has(name)) return { ref: name, path: "" };
  for (let end = name.length - 1; end > 0; end--) {
    if ((name[end] === "[" || name[end] === ".") && known.has(name.slice(0, end))) return { ref: name.slice(0, end), path: name.slice(end) };
  }
  const bracket = name.indexOf("[");
  return bracket < 0 ? { ref: name, path: "" } : { ref: name.slice(0, bracket), path: name.slice(bracket) };
}

/** Returns the signal to watch for a leaf: the server selects array elements, the page selects leaves of structures. */
export function toWatch(ref: string, path: LeafPath): Signal {
  const element = /^\[(\d+)\]$/.exec(path)?.[1];
  return element === undefined ? { ref } : { ref, element: Number(element) };
}
