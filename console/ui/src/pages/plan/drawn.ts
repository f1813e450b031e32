// The contents of the 3-D view, and the actions of the user in it.

import type { Obstacle, Plan, PlanContact, Quaternion, Triple } from "../../lib/plans";
import type { ProgramPoint } from "../../lib/programs";
import type { Shapes } from "../robot/colliders";
import type { End, HandPose } from "./planning.svelte";

/** Actions of the user in the view. */
export interface ViewActions {
  hover(joint: string | null): void;
  moveJoint(end: End, joint: string, position: number): void;
  moveHand(end: End, pose: HandPose): void;
  dropHand(): void;
  select(obstacle: string): void;
  grabObstacle(): void;
  moveObstacle(name: string, p: Triple, q: Quaternion): void;
  selectPoint(key: string): void;
  grabPoint(): void;
  movePoint(p: Triple, q: Quaternion): void;
  dropPoint(): void;
}

/** The points of a program, and the moves with mistakes by their numbers. */
export interface DrawnProgram {
  points: readonly ProgramPoint[];
  selected: string;
  wrong: ReadonlySet<number>;
}

/** An obstacle with its pose in the frame of a link of the ghost; "": in the scene. */
export interface Placed {
  obstacle: Obstacle;
  link: string;
  pose: { p: Triple; q: Quaternion };
}

/** The contents of the picture. */
export interface Drawn {
  joints: readonly string[];
  start: readonly number[];
  goal: readonly number[];
  /** of the ghost; null: none is drawn */
  ghost: readonly number[] | null;
  objects: readonly Obstacle[];
  /** obstacles that a program has moved when the ghost is where it is drawn */
  carried: readonly Placed[];
  selected: string;
  plan: Plan | null;
  /** edges of the trees that are drawn; null: none */
  tree: Float32Array | null;
  swept: boolean;
  shapes: Shapes;
  /** measured distances */
  pairs: readonly PlanContact[];
  /** null: a motion is planned, and its ends are edited */
  program: DrawnProgram | null;
}

/** Returns the values of a point by their names. */
export function named(d: Drawn, q: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(d.joints.map((name, i) => [name, q[i] ?? NaN]));
}
