// What the server tells of robots, and what it calculates for them.

import type { OfSystem } from "./wire";

export interface Robot {
  name: string;
  /** address of its URDF on this server */
  urdf: string;
  joints: string[];
  /** ports with the positions of its joints, one after the other; none where nobody tells */
  position: string[];
  /** ports with where they ought to be, likewise */
  desired: string[];
  /** ports with contact forces */
  contacts: string[];
  /** ports with position (m) and orientation (x, y, z, w) of a base that moves */
  base?: { position: string; orientation: string };
  /** operation that lets the joints go to positions in a time */
  move?: string;
  /** why it cannot be shown */
  problem?: string;
}

/** A force that acts on a robot: where, in m, and how strong, in N, both in the world. */
export interface Contact {
  point: [number, number, number];
  force: [number, number, number];
}

/** A frame of a body: position in m, orientation as unit quaternion x, y, z, w. */
export interface BodyFrame {
  name: string;
  p: [number, number, number];
  q: [number, number, number, number];
}

/** The requests about robots. */
export interface RobotMethods {
  /** all robots, and what is wrong with that which blocks show of them: the words of the tag show */
  robot: { args: OfSystem; result: { robots: Robot[]; notes: string[] } };
  fk: { args: OfSystem & { robot: string; q: number[] }; result: { frames: BodyFrame[] } };
  /** without the q of the pose any orientation will do */
  ik: {
    args: OfSystem & { robot: string; link: string; pose: { p: number[]; q?: number[] }; q: number[] };
    result: { q: number[]; ok: boolean; why: string };
  };
}
