// Plans of motions in the console's protocol: robots among obstacles, problems and their solutions.

import type { ProgramReply } from "./programs";

/** Stands for the name of a system in requests about robots that belong to none. */
export const noSystem = "~";

export type Triple = [number, number, number];
export type Quaternion = [number, number, number, number];

/** A robot that plans can be made for. */
export interface PlanEntry {
  system: string;
  robot: string;
}

export type PartKind = "box" | "sphere" | "cylinder" | "cone" | "file";

/** A shape of an obstacle, in its frame. "file": a shape that the server has read; its size is that of a box around it. */
export interface Part {
  kind: PartKind;
  /** m: edges of a box; radius of a sphere; height and radius of a cylinder or cone */
  size: number[];
  /** the address of a shape that the server has read: .stl, or .points; "": the half-space below z = 0 */
  file?: string;
  p: Triple;
  q: Quaternion;
}

export interface Obstacle {
  name: string;
  p: Triple;
  q: Quaternion;
  parts: Part[];
}

/** A robot with its surroundings. */
export interface Setting {
  urdf: string;
  /** the values of a point: joints, and NAME.px, .py, .pz, .x, .y, .z, .w of joints that float */
  joints: string[];
  /** the values that are one joint each */
  axes: number[];
  lower: number[];
  upper: number[];
  links: string[];
  /** joints that stay as at the start, at first */
  held: string[];
  start: number[];
  goal: number[];
  objects: Obstacle[];
  planners: { name: string; doc: string }[];
  planner: string;
  /** that a plan may take */
  seconds: number;
  /** the default first */
  engines: string[];
  notes: string[];
  /** why the start is not where all joints are at rest, of this start alone; "": it is, or was given */
  start_note: string;
  /** joints without a limit of velocity, whose motions are not sent to a robot */
  unlimited: string[];
}

export interface Problem {
  system: string;
  robot: string;
  /** each pane of a page has a plan of its own */
  pane: string;
  start: number[];
  /** with a pose, where the search for it begins */
  goal: number[];
  link: string;
  /** of the link; without q any orientation */
  pose?: { p: Triple; q?: Quaternion };
  /** joints that stay as at the start */
  held: string[];
  objects: Obstacle[];
  planner: string;
  engine: string;
  seed: number;
  seconds: number;
  acceleration: number;
  jerk: number;
  tree: boolean;
  distance: boolean;
}

/** Where two bodies are nearest or deepest: a negative distance (m) is a depth. */
export interface PlanContact {
  a: string;
  b: string;
  distance: number;
  pa: Triple;
  pb: Triple;
  /** of the motion, s */
  time: number;
}

/** Why there is no plan. */
export interface Why {
  kind: "start" | "goal" | "limit" | "held" | "unreachable" | "time" | "none" | "contact";
  text: string;
  /** where the reason lies */
  end?: "start" | "goal";
  contacts: PlanContact[];
  /** beyond a limit, or held */
  joint?: string;
  /** where the link should be, and the nearest position that it reaches, m */
  wanted?: Triple;
  reached?: Triple;
}

/** The fields that a plan and its answer have in common. */
interface PlanResult {
  why: Why | null;
  goal: number[];
  /** µs: for other plans; scene and inverse kinematics; planner, shortcuts, timing and proof; all but the wait */
  wait_us: number;
  prepare_us: number;
  plan_us: number;
  total_us: number;
  planner: string;
  engine: string;
  samples: number;
  checked: number;
  length: number;
  /** s */
  duration: number;
  proved: boolean;
  report: string;
  waypoints: number[][];
  least: PlanContact | null;
}

/** The answer of the server. Its tables are base64 of float32 in little-endian order. */
export interface PlanReply extends PlanResult {
  q: string | null;
  hand: string | null;
  tree: string | null;
}

/** A plan; with a reason why there is none, the motion may lead to the point found nearest to the goal. */
export interface Plan extends PlanResult {
  /** positions of the joints at equal distances of time */
  q: Float32Array[];
  /** x, y, z of the link at these times, m */
  hand: Float32Array;
  /** edges of the planner's trees: x, y, z of both ends, m */
  tree: Float32Array;
}

/** Decodes a table of an answer. */
export function numbersOf(text: string | null): Float32Array {
  return new Float32Array(Uint8Array.from(atob(text ?? ""), (c) => c.charCodeAt(0)).buffer);
}

/** Decodes an answer. */
export function planOf(r: PlanReply): Plan {
  const [q, width] = [numbersOf(r.q), r.goal.length];
  return { ...r, q: Array.from({ length: q.length / width }, (_, i) => q.subarray(i * width, (i + 1) * width)), hand: numbersOf(r.hand), tree: numbersOf(r.tree) };
}

/** The requests about plans. */
export interface PlanMethods {
  /** robots without a system, then those of a system */
  "plan.list": { args: { system: string }; result: PlanEntry[] };
  "plan.open": { args: PlanEntry; result: Setting };
  /** ends the request that this pane made before */
  "plan.make": { args: Problem; result: PlanReply };
  /** what the plan under way has tried so far */
  "plan.grow": { args: { pane: string }; result: { growing: boolean; tree: string | null } };
  "plan.cancel": { args: { pane: string }; result: null };
  /** the pane is gone */
  "plan.close": { args: { pane: string }; result: null };
  /** joint positions near q with which a link is at a pose, or the nearest */
  "plan.reach": { args: PlanEntry & { link: string; pose: { p: Triple; q?: Quaternion }; q: number[]; held: string[] }; result: { q: number[]; ok: boolean } };
  /** whether a motion is free: joint positions, with straight ways between them */
  "plan.check": { args: PlanEntry & { objects: Obstacle[]; q: number[][] }; result: { why: Why | null } };
  /** the distance of a pair, or the nearest pairs that are checked for collisions */
  "plan.distances": { args: PlanEntry & { objects: Obstacle[]; q: number[]; pair?: [string, string] }; result: { pairs: PlanContact[] } };
  /** rows of "." free, "#" in collision and "?" unknown, from the lower limits of two joints on */
  "plan.slice": { args: PlanEntry & { objects: Obstacle[]; q: number[]; x: number; y: number; cells: number }; result: { rows: string[] } };
  /** how the block that runs paths of a robot would run one, as a program of one move */
  "plan.time": { args: PlanEntry & { start: number[]; points: number[][] }; result: ProgramReply };
  /** obstacles as the YAML of a MoveIt scene */
  "plan.scene": { args: PlanEntry & { objects: Obstacle[] }; result: { text: string } };
}
