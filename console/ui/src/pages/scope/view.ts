// The contents of one plot of the scope.

import type { Range } from "./axes";
import type { PaneKind } from "./layout.svelte";
import type { Drawn } from "./trace";

/** A marked point of an XY plot. */
export interface Dot {
  x: number;
  y: number;
  unit: string;
  pen: number;
  /** "A", "B"; "" at the pointer or the newest sample */
  label: string;
}

/** The contents of one plot. */
export interface View {
  kind: PaneKind;
  /** Horizontal span: seconds of the system, hertz, or values of an XY plot. */
  from: number;
  to: number;
  /** The time labelled 0 on the axis. */
  zero: number;
  /** Label of the horizontal axis; "" for time. */
  across: string;
  /** Range of each unit's axis. */
  ranges: ReadonlyMap<string, Range>;
  /** Times of the two cursors. */
  cursors: readonly [number, number] | null;
  /** Level, unit and pen of the trigger's signal, and the shown edge. */
  trigger: { level: number; unit: string; pen: number; edge: number | null } | null;
  drawn: readonly Drawn[];
  dots: readonly Dot[];
  /** Remarks, such as why a signal has no spectrum. */
  notes: readonly string[];
  /** Readings by signal, such as the peak of its spectrum. */
  readings: ReadonlyMap<string, string>;
}
