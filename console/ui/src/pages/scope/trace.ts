// Traces: signals drawn by the scope, with their pens.

import type { Polyline } from "./decimate";
import type { Source } from "./feed";
import { readFormula, unitOf, type Formula } from "./formula";
import type { Ring } from "./ring";
import { isScalar, splitName, type LeafPath, type SignalInfo } from "./signals";

/** Most traces at a time; more would not be distinguishable by colour and dashes. */
export const MOST = 16;

const COLOURS = 8; // --s1 to --s8 of the theme

export interface Trace {
  /** "block.port[3]", or "= FORMULA" */
  name: string;
  /** "" for a formula */
  ref: string;
  path: LeafPath;
  /** null for a signal */
  formula: Formula | null;
  /** the signals to record: itself, or those of the formula */
  inputs: readonly Source[];
  unit: string;
  /** 0 to MOST - 1, selects colour and dash */
  pen: number;
  shown: boolean;
}

/** A trace with its samples and its line in the picture. */
export interface Drawn {
  trace: Trace;
  ring: Ring;
  line: Polyline;
  /** seconds to add to its times; null for what the scope itself shows, a number for the recording compared with it */
  offset: number | null;
}

/** Returns the signals to record for traces, each once. */
export function sourcesOf(traces: readonly Trace[]): Source[] {
  return [...new Map(traces.flatMap((t) => t.inputs).map((s) => [s.name, s])).values()];
}

/** Returns the number of traces and of the other signals that they need. */
export function loadOf(traces: readonly Trace[]): number {
  return new Set([...traces.map((t) => t.name), ...sourcesOf(traces).map((s) => s.name)]).size;
}

/** Reports whether a name is a formula; add reads it. */
export function isFormula(name: string): boolean {
  return name.trimStart().startsWith("=");
}

/** Returns a trace's origin and unit, as far as its signals are known. Throws a FormulaError. */
export function originOf(name: string, known: ReadonlyMap<string, SignalInfo>): Pick<Trace, "name" | "ref" | "path" | "formula" | "inputs" | "unit"> {
  const unit = (signal: string): string => known.get(splitName(signal, known).ref)?.unit ?? "";
  if (!isFormula(name)) {
    const { ref, path } = splitName(name, known);
    return { name, ref, path, formula: null, inputs: [{ name, ref, path }], unit: unit(name) };
  }
  const formula = readFormula(name.trim().slice(1).trim());
  return { name: `= ${formula.text}`, ref: "", path: "", formula, inputs: formula.signals.map((s) => ({ name: s, ...splitName(s, known) })), unit: unitOf(formula, unit) };
}

/** Returns what is wrong with a signal in a formula; "" if nothing is. */
export function checkSignal(name: string, known: ReadonlyMap<string, SignalInfo>): string {
  if (known.size === 0) return "";
  const { ref, path } = splitName(name, known);
  const info = known.get(ref);
  if (info === undefined) return `there is no signal “${name}”`;
  return path === "" && !isScalar(info.type) ? `${name} is not a single number; choose one, such as ${name}[0]` : "";
}

/** Returns the first unused pen. */
export function freePen(traces: readonly Trace[]): number {
  for (let pen = 0; pen < MOST; pen++) if (!traces.some((t) => t.pen === pen)) return pen;
  return traces.length % MOST;
}

/** Returns the colour of a pen, for style attributes. */
export function penColour(pen: number): string {
  return `var(--s${(pen % COLOURS) + 1})`;
}

/** Returns the dashes of a pen in CSS pixels; none for the first eight pens. */
export function penDash(pen: number): number[] {
  return pen < COLOURS ? [] : [6, 3];
}

/** Returns the units of visible traces in order of appearance; each unit has one axis. */
export function unitsOf(traces: readonly Trace[]): string[] {
  return [...new Set(traces.filter((t) => t.shown).map((t) => t.unit))];
}
