// How blocks exchange values: over links, and by calls.

export type Exchange = "activation" | "previous" | "tick" | "direct" | "newest" | "buffered" | "event";

/** Which values an activation reads over a link. Missing in older systems, and in the editor. */
export interface Read {
  exchange?: Exchange;
  /** the same as "sinew check -v" prints it */
  reads?: string;
  /** by tick: how many periods of its reader old the values are; missing where that is no whole number */
  ticks?: number;
}

/** A block calls an operation of another, its peer. */
export interface Call {
  block: string;
  peer: string;
  operation: string;
}
