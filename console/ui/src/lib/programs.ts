// Programs of moves in the console's protocol: files, the motion that they compile to, and their mistakes.

import { numbersOf, type Obstacle, type Plan, type PlanContact, type PlanEntry, type Quaternion, type Triple } from "./plans";

/** A file of moves of a robot. */
export interface ProgramFile {
  /** that executes it; "" for a robot without a system */
  block: string;
  /** by which the block runs it, from 1 */
  number: number;
  name: string;
  /** absolute path */
  file: string;
}

/** Gives a point of a program another place. */
export interface ProgramEdit {
  /** number of the move, from 1 */
  move: number;
  via: boolean;
  /** index of a waypoint */
  point: number;
  pose: { p: Triple; q: Quaternion };
}

/** A place that a program names. */
export interface ProgramPoint extends ProgramEdit {
  line: number;
  /** keyword of the move */
  kind: string;
  /** the text states its rotation */
  turns: boolean;
  /** the text states positions of joints */
  joints: boolean;
  /** why it cannot be moved by hand; "": it can */
  fixed: string;
}

/** A mistake of a program. */
export interface ProgramProblem {
  /** 0: of the whole */
  line: number;
  /** the reason, and what to do */
  text: string;
  /** number, from 1; 0: unknown */
  move: number;
  /** way of the tool along the move, m */
  s?: number;
  joint?: string;
  /** of the tool, m */
  place?: Triple;
  /** positions of all joints there, or before the move */
  q?: number[];
  contacts: PlanContact[];
}

/** When a move happens. */
export interface ProgramMove {
  move: number;
  line: number;
  kind: string;
  /** s */
  start: number;
  end: number;
  /** m */
  length: number;
}

/** That a link carries an obstacle during a part of the motion. */
export interface ProgramCarry {
  object: string;
  link: string;
  /** s */
  from: number;
  to: number;
  /** pose of the obstacle in the frame of the link */
  grip: { p: Triple; q: Quaternion };
  /** pose of the obstacle in the scene at `to` */
  left: { p: Triple; q: Quaternion };
}

/** A limit that holds along a program: of a joint, or with "" of the tool on lines and arcs. */
export interface ProgramLimit {
  of: string;
  kind: "speed" | "acceleration" | "jerk" | "turning";
}

interface Described {
  /** with the edit */
  text: string;
  title: string;
  problems: ProgramProblem[];
  points: ProgramPoint[];
  moves: ProgramMove[];
  outputs: { time: number; name: string; value: number }[];
  /** in the order of their attach */
  carried: ProgramCarry[];
  /** s */
  duration: number;
  limits: ProgramLimit[];
  /** 0: no line and no arc */
  singularity: number;
  singular_move: number;
  /** m */
  singular_s: number;
  /** what was found of contacts; "": they were not looked for */
  report: string;
}

/** The answer of the server. Its tables are base64 of float32 in little-endian order. */
export interface ProgramReply extends Described {
  q: string | null;
  hand: string | null;
  use: string | null;
}

/** A program with its motion; with problems that of the moves before the first one. */
export interface Compiled extends Described {
  /** positions of all joints at equal distances of time */
  q: Float32Array[];
  /** x, y, z of the tool at these times, m */
  hand: Float32Array;
  /** which part of each limit is used at these times */
  use: Float32Array[];
}

function rows(text: string | null, width: number): Float32Array[] {
  const all = numbersOf(text);
  return width === 0 ? [] : Array.from({ length: all.length / width }, (_, i) => all.subarray(i * width, (i + 1) * width));
}

/** Decodes an answer for a robot with this number of joints. */
export function compiledOf(r: ProgramReply, joints: number): Compiled {
  return { ...r, q: rows(r.q, joints), hand: numbersOf(r.hand), use: rows(r.use, r.limits.length) };
}

/** Returns what is drawn of a program as of a plan: its way, and its first mistake. */
export function drawnOf(c: Compiled): Plan {
  const [wrong] = c.problems;
  const why: Plan["why"] =
    wrong === undefined
      ? null
      : { kind: "contact", text: wrong.text, end: "goal", contacts: wrong.contacts, ...(wrong.joint === undefined ? {} : { joint: wrong.joint }), ...(wrong.place === undefined ? {} : { wanted: wrong.place, reached: wrong.place }) };
  const none = { goal: [], wait_us: 0, prepare_us: 0, plan_us: 0, total_us: 0, planner: "", engine: "", samples: 0, checked: 0, length: 0, proved: false, report: c.report, waypoints: [], least: null };
  return { ...none, why, duration: c.duration, q: c.q, hand: c.hand, tree: new Float32Array() };
}

/** The requests about programs. */
export interface ProgramMethods {
  "program.list": { args: PlanEntry; result: ProgramFile[] };
  /** compiles a text, after an edit; mistakes are part of the answer */
  "program.compile": { args: PlanEntry & { file: string; text: string; start: number[]; objects: Obstacle[]; free: boolean; edit?: ProgramEdit }; result: ProgramReply };
  /** the file of a robot without a system; that of a system is one of its files: net.get */
  "program.get": { args: PlanEntry & { file: string }; result: { text: string; version: string } };
  "program.put": { args: PlanEntry & { file: string; text: string; version: string }; result: { version: string } };
}
