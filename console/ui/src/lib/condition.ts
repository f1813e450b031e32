// The condition of a system, as the console sends it.

/** The condition of a system, which an operator must see at any time. */
export interface Condition {
  /** inputs and outputs with a value given by hand */
  held: string[];
  /** outputs with NaN or infinity */
  non_finite: string[];
  /** blocks */
  disabled: string[];
  /** blocks without data for longer than their time-out */
  resting: string[];
  /** blocks in error */
  faults: { block: string; why: string }[];
  /** number of times that blocks entered the state error */
  fault_count: number;
  /** threads that have missed periods */
  slips: { process?: string; thread: string; slips: number }[];
  /** processes that do not run or do not answer, and why */
  problems: string[];
}
