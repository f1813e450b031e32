// The console's protocol: one type for each JSON message. The Go side is net/admin and console.
import type { Call, Read } from "./exchange";
import type { FileError } from "./findings";
import type { Foreign } from "./foreign";

/** A value of a port or parameter. NaN and infinity, which JSON lacks, are the strings "NaN", "+Inf" and "-Inf". */
export type Value = number | boolean | string | null | Value[] | { [name: string]: Value };

/** A user's role; each includes those before it. */
export type Role = "view" | "tune" | "drive" | "own";

/** The answer of /api/session: user, role and NATS credentials. */
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
  /** why the system's structure is not available */
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
  calls?: Call[] | null; // operations that blocks call on others; missing in older systems
  groups?: Group[] | null; // with full names; missing in older systems
  watch?: string[] | null; // signals that the system file watches, in its order, at most 16
  foreign?: Foreign[] | null; // missing in older systems
  notices?: FileError[] | null; // what is no error of the net, but may not be wanted
  unlinked?: string[] | null; // inputs without a source, with the elements that have none, as "arm.torque[3,4]"
}

/** A group of blocks, with the ports by which it looks like a block. */
export interface Group {
  name: string;
  file?: string;
  level?: number; // in the group around it, from 0, the lowest
  levels?: number; // of its members; missing if they have none
  /** whether at least one of its blocks is; missing in older systems */
  enabled?: boolean;
  ports?: Port[] | null;
}

export interface Process {
  name: string;
  host: string;
  pid?: number;
  file?: string;
  version?: string;
  problem?: string;
  supervised?: boolean; // sinew up runs it
  state?: string; // as the supervisor reports it
  last_line?: string; // of its output
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
export interface NetLink extends Read {
  from: string;
  to: string;
  every?: number;
  pause_s?: number;
  delay?: boolean;
  /** the target is not executed while the value is older */
  timeout_s?: number;
  buffer?: number;
  overflow?: string;
}

export interface Block {
  name: string;
  type: string;
  process?: string;
  thread: string;
  /** in the group around it, if that has levels */
  level?: number;
  state?: "running" | "disabled" | "resting" | "error"; // missing in older systems
  /** value of the input "enable" */
  enabled?: boolean;
  fault?: string;
  /** number of times the block entered the state error */
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
  from?: string; // source of a linked input
  /** whether the value is overridden with feed */
  by_hand?: boolean;
  safe?: string; // of an output: its declared safe value; missing if it has none
  show?: string; // what pictures of robots take it for
  watch?: boolean; // the block's author marked it for operators
  /** half of a two-way block */
  half?: "sense" | "control";
  /** of a port of a group: the ports of blocks */
  behind?: string[];
  trigger?: boolean; // the block runs only when one of its triggers is new
  required?: boolean; // the system file must link it
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
  result?: string; unit?: string; // the result's type and unit
}

export interface Reading {
  value: Value;
  /** values written so far; 0: none */
  count: number;
}

export interface Statistics {
  system: string;
  duration_s: number;
  wall_s: number;
  virtual: boolean;
  threads: ThreadStatistics[] | null;
  links: LinkState[] | null;
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

export interface LinkState {
  name: string;
  from: string;
  to: string;
  outgoing: boolean;
  connected: boolean;
  packets: number;
  lost: number;
  stale: number;
  late: number; // values that came after the tick that should have taken them
  clipped: number; // values that the encoding could not carry as they are
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
  again_begin_ns?: number;
  again_end_ns?: number;
  p50_ns: number;
  p99_ns: number;
  max_ns: number;
}

/** A port, or one element of it. */
export interface Signal {
  ref: string;
  element?: number;
}

/** New samples of watched signals: index into the watch's list of signals, times in ns, values, and the age of the last value at its time in ns, missing where it is 0. */
export interface Frame {
  id: string;
  t: number;
  lost: number;
  s: [signal: number, times: number[], values: Value[], age?: number][];
}

export type EventKind = "fault" | "log" | "change" | "gone" | "back" | "warning";

export interface ConsoleEvent {
  seq: number; // assigned by the console
  /** RFC 3339 */
  time: string;
  system?: string;
  kind: EventKind;
  level?: string;
  text: string;
  code?: "not_at_rest"; // of the error with which a process has ended: drives may still act on their last command
  /** the actor of a change, for people */
  user?: string;
  /** of a change: the method or request, such as "set" */
  action?: string;
  /** of a change: the block, port or operation */
  ref?: string;
  actor?: Actor;
  values?: { named: Record<string, Value>; was?: Record<string, Value> }; // of parameters that were set
}

/** The origin of a change: a person or program with the process it acts from. */
export interface Actor {
  user?: string;
  /** the system that the change comes from, where its own process has made it */
  system?: string;
  host?: string;
  pid?: number;
  /** of one client or console: hosts and containers may repeat names and PIDs */
  instance?: string;
}

/** A file of a system; a save with an outdated version is rejected. */
export interface NetText {
  file: string;
  text: string;
  version: string;
  /** all files of the system, the main file first */
  files?: NetFileInfo[] | null;
}

/** One of the files that define a system, or that its blocks read and people edit. */
export interface NetFileInfo {
  file: string;
  /** path relative to the main file's folder */
  name: string;
  /** role of the file: an overlay extends a base; a group is included by another file; a block reads a file that is no part of the net */
  kind: "system" | "base" | "overlay" | "include" | "group" | "block";
  /** full names of the groups that include a group's file */
  groups: string[];
}

/** A registered block type, for the editor's palette. */
export interface BlockType {
  type: string;
  doc?: string;
  ports: Port[] | null;
  params: Param[] | null;
  operations: Operation[] | null;
  /** what is missing before the type's ports are known */
  problem?: string;
}

/** The system that a request addresses. */
export interface OfSystem {
  system: string;
}
