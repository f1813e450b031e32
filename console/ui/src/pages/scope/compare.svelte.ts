// A recording drawn over what the scope shows, for comparison.

import { Samples } from "./derive";
import { LOADED, type RecordedLog } from "./log";
import type { Ring } from "./ring";
import { sourcesOf, type Trace } from "./trace";

export class Comparison {
  /** Seconds by which the recording is drawn later. */
  shift = $state(0);
  /** Its samples by trace, as of the last picture. */
  rings: ReadonlyMap<string, Ring> = new Map();
  /** Seconds to add to its times. */
  offset = 0;

  private readonly samples = new Samples(LOADED);

  constructor(readonly log: RecordedLog) {}

  /** Loads what a time span shows. Its start is aligned with the time start: of the other recording, or of the running picture. */
  show(traces: readonly Trace[], start: number, from: number, to: number, columns: number, exact: boolean): void {
    this.offset = start - this.log.start + this.shift;
    this.log.show(sourcesOf(traces), from - this.offset, to - this.offset, columns, exact);
    this.rings = this.samples.of(traces, this.log.rings, true);
  }

  /** Names of traces that the recording does not have. */
  missing(traces: readonly Trace[]): string[] {
    return traces.filter((t) => !t.inputs.every((s) => this.log.has(s))).map((t) => t.name);
  }
}
