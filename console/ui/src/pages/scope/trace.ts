// A trace is a signal on the screen.

import type { Polyline } from "./decimate";
import type { Ring } from "./ring";
import type { LeafPath } from "./signals";

/** Most traces at a time; more can be told apart neither by colour nor by dashes. */
export const MOST = 16;

const COLOURS = 8; // --s1 to --s8 of the theme

export interface Trace {
  /** "block.port[3]" */
  name: string;
  ref: string;
  path: LeafPath;
  unit: string;
  /** 0 to MOST - 1: its colour and dash. */
  pen: number;
  shown: boolean;
}

/** A trace with what is drawn of it. */
export interface Drawn {
  trace: Trace;
  ring: Ring;
  line: Polyline;
}

/** The first pen that no trace has. */
export function freePen(traces: readonly Trace[]): number {
  for (let pen = 0; pen < MOST; pen++) if (!traces.some((t) => t.pen === pen)) return pen;
  return traces.length % MOST;
}

/** Colour of a pen, for style attributes. */
export function penColour(pen: number): string {
  return `var(--s${(pen % COLOURS) + 1})`;
}

/** Dashes of a pen in CSS pixels; none for the first eight. */
export function penDash(pen: number): number[] {
  return pen < COLOURS ? [] : [6, 3];
}

/** The units of traces, in the order of their first appearance: one axis each. */
export function unitsOf(traces: readonly Trace[]): string[] {
  return [...new Set(traces.filter((t) => t.shown).map((t) => t.unit))];
}
