// What the console's server says and understands: one type for each message, as JSON. Its Go side is net/admin and console.

/** A value of a port or parameter. Numbers that JSON lacks come as the strings "NaN", "+Inf" and "-Inf". */
export type Value = number | boolean | string | null | Value[] | { [name: string]: Value };

/** What a user may do; each role includes those before it. */
export type Role = "view" | "tune" | "drive";

/** Who we are and how to reach NATS: the answer of /api/session. */
export interface Session {
  user: string;
  role: Role;
  version: string;
  nats: { path: string; user: string; pass: string };
}

export interface SystemInfo {
  name: string;
  processes: { name: string; host: string; pid: number }[];
  alive: boolean;
  /** why it does not tell more */
  problem?: string;
}

export interface Structure {
  system: string;
  file: string;
  pid: number;
  processes: Process[];
  threads: Thread[];
  blocks: Block[];
  links: NetLink[];
  /** with those around them in their names; an older system does not tell */
  groups?: { name: string; file: string }[] | null;
}

export interface Process {
  name: string;
  host: string;
  pid?: number;
  file?: string;
  version?: string;
  problem?: string;
}

export interface Thread {
  name: string;
  process?: string;
  host?: string;
  /** 0: triggered */
  period_s: number;
  priority: number;
}

/** A link of the net: its ends as "block.port", with chosen elements as "block.port[0,2]". */
export interface NetLink {
  from: string;
  to: string;
  every?: number;
  pause_s?: number;
  delay?: boolean;
  /** the target rests while the value is older */
  timeout_s?: number;
  buffer?: number;
  overflow?: string;
}

export interface Block {
  name: string;
  type: string;
  process?: string;
  thread: string;
  /** what it does now; an older system does not tell */
  state?: "running" | "disabled" | "resting" | "error";
  /** its input "enable" lets it run */
  enabled?: boolean;
  fault?: string;
  /** how often it fell in error so far */
  faults?: number;
  ports: Port[] | null;
  params: Param[] | null;
  operations: Operation[] | null;
}

export type PortKind = "input" | "output" | "event" | "handler";

export interface Port {
  name: string;
  kind: PortKind;
  type: string;
  unit?: string;
  doc?: string;
  /** what an input is linked to */
  from?: string;
  /** it has a value given with feed */
  by_hand?: boolean;
  watch?: boolean; // its author says that operators want to see it
}

export interface Param {
  name: string;
  type: string;
  unit?: string;
  doc?: string;
  fixed?: boolean;
  value?: Value;
  min?: number;
  max?: number;
}

export interface Operation {
  name: string;
  doc?: string;
  args: { name: string; type: string; unit?: string }[] | null;
  result?: string;
}

export interface Reading {
  value: Value;
  /** how many values the port had so far; 0: nothing was ever written */
  count: number;
}

export interface Statistics {
  system: string;
  duration_s: number;
  wall_s: number;
  virtual: boolean;
  threads: ThreadStatistics[] | null;
  links: LinkStatistics[] | null;
  faults: string[] | null;
  warnings: string[] | null;
  units: Record<string, string> | null;
}

export interface ThreadStatistics {
  name: string;
  process?: string;
  host?: string;
  period_s: number;
  priority: number;
  activations: number;
  slips: number;
  page_faults: number;
  lost_samples: number;
  jitter: Distribution;
  cycle: Distribution;
  follow?: string;
  pace?: { locked: boolean; heard_s: number; losses: number; shift_s: number; phase: Distribution };
  steps: StepStatistics[] | null;
}

export interface LinkStatistics {
  name: string;
  from: string;
  to: string;
  outgoing: boolean;
  connected: boolean;
  packets: number;
  lost: number;
  stale: number;
  rejected: number;
  age_s: number;
  problem?: string;
}

/** A histogram of durations in nanoseconds. */
export interface Distribution {
  p50_ns: number;
  p99_ns: number;
  p999_ns: number;
  max_ns: number;
  buckets: { from_ns: number; to_ns: number; count: number }[] | null;
}

export interface StepStatistics {
  block: string;
  part: string;
  timeouts?: number;
  begin_ns: number;
  end_ns: number;
  p50_ns: number;
  p99_ns: number;
  max_ns: number;
}

/** A signal is a port, or one element of it. */
export interface Signal {
  ref: string;
  element?: number;
}

/** New samples of watched signals: index into the list that was watched, times in ns, values. */
export interface Frame {
  id: string;
  t: number;
  lost: number;
  s: [signal: number, times: number[], values: Value[]][];
}

export type EventKind = "fault" | "log" | "change" | "gone" | "back" | "warning";

export interface ConsoleEvent {
  /** number of the event, counted by the console */
  seq: number;
  /** RFC 3339 */
  time: string;
  system?: string;
  kind: EventKind;
  level?: string;
  text: string;
  user?: string;
}

/** A file of a system; its version tells whether somebody else has changed it since. */
export interface NetText {
  file: string;
  text: string;
  version: string;
  /** all files that the system is read from, the one that was named first */
  files?: NetFileInfo[] | null;
}

/** A file that a system is read from. */
export interface NetFileInfo {
  file: string;
  /** relative to the folder of the first */
  name: string;
  /** how it belongs to the system: another is put over a base, an overlay over another, a group is named in another */
  kind: "system" | "base" | "overlay" | "include" | "group";
  /** the groups that a group's file is, each with the names of those around it */
  groups: string[];
}

/** A fault of a system file, lines and columns counted from 1. */
export interface FileError {
  line: number;
  column: number;
  text: string;
  /** where it is not the file that was checked */
  file?: string;
}

/** A registered block type, for the palette of the editor. */
export interface BlockType {
  type: string;
  doc?: string;
  ports: Port[] | null;
  params: Param[] | null;
  operations: Operation[] | null;
  /** what it wants before it is complete */
  problem?: string;
}

/** What a request is about. */
export interface OfSystem {
  system: string;
}
