// What the scope's picture is to show.

import type { Range } from "./axes";
import type { Drawn } from "./trace";

/** All that one picture shows. */
export interface View {
  /** Span of time, in seconds of the system. */
  from: number;
  to: number;
  /** The time that the axis calls 0. */
  zero: number;
  /** Range of each unit's axis. */
  ranges: ReadonlyMap<string, Range>;
  /** Times of the two cursors. */
  cursors: readonly [number, number] | null;
  /** Level, unit and pen of the trigger's signal, and the edge that is shown. */
  trigger: { level: number; unit: string; pen: number; edge: number | null } | null;
  drawn: readonly Drawn[];
}
