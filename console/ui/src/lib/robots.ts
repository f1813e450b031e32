// Robots in the console's protocol: their descriptions, ports and kinematics.

import type { OfSystem } from "./wire";

/** Some of a robot's joints, which blocks command apart. */
export interface JointGroup {
  name: string;
  /** in the order of the operation's positions */
  joints: string[];
  /** operation that moves these joints to positions in a given time */
  move?: string;
}

export interface Robot {
  name: string;
  /** address of its URDF on this server */
  urdf: string;
  joints: string[];
  /** ports with the positions of its joints, in order; empty if no block publishes them */
  position: string[];
  /** ports with the desired positions, likewise */
  desired: string[];
  /** ports with contact forces */
  contacts: string[];
  /** ports with position (m) and orientation (x, y, z, w) of a moving base */
  base?: { position: string; orientation: string };
  /** operation that moves the joints to positions in a given time */
  move?: string;
  /** operations of a block that runs paths: one adds a point, one runs the points, and the last fails with the reason if they cannot be run */
  path?: { point: string; run: string; outcome?: string };
  /** groups of its joints that blocks command apart */
  groups?: JointGroup[];
  /** ports with the torques of its joints, inputs of its simulator */
  torque?: string[];
  /** of a simulator that pushes a link: the input with the force [x, y, z] in N, in world axes */
  push?: { port: string; link: string };
  /** why the robot cannot be shown */
  problem?: string;
  /** the collision geometry of each link before and after; the visuals are that before */
  simplified?: SimplifiedLink[];
}

/** The collision geometry of a link before and after. */
export interface SimplifiedLink {
  link: string;
  /** before */
  meshes: number;
  /** vertices of the meshes */
  mesh_corners: number;
  /** after */
  shapes: number;
  /** of hulls */
  shape_corners: number;
  /** of the shapes, m³ */
  volume: number;
  /** of the convex hulls of what was replaced, m³ */
  hull_volume: number;
  /** by how much the shapes stick out, m */
  protrusion: number;
}

/** A force on a robot: point of application in m and force in N, both in world coordinates. */
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

/**
 * A pose that a program shows of a robot through the coach's port: positions of its joints, which discard the frames of its links, or the
 * frame of a link in the world, or of one shape in its link. With neither, all that programs have shown is discarded.
 */
export interface CoachPose {
  system: string;
  robot: string;
  q?: number[];
  link?: string;
  /** index of a visual of the link */
  shape?: number;
  frame?: { p: [number, number, number]; q: [number, number, number, number] };
}

/** How a robot would move to several goals: the robot rests at each of them. */
export interface Preview {
  /** "jerk-limited" or "minimum jerk" */
  law: string;
  /** when each goal is reached, s */
  ends: number[];
  /** of the samples, s */
  times: number[];
  /** joint positions at these times */
  q: number[][];
}

/** The requests about robots. */
export interface RobotMethods {
  /** all robots of a system, or those without one, and problems with the blocks' show tags */
  robot: { args: OfSystem; result: { robots: Robot[]; notes: string[] } };
  fk: { args: OfSystem & { robot: string; q: number[] }; result: { frames: BodyFrame[] } };
  /** a pose without q accepts any orientation */
  ik: {
    args: OfSystem & { robot: string; link: string; pose: { p: number[]; q?: number[] }; q: number[] };
    result: { q: number[]; ok: boolean; why: string };
  };
  /** what programs show of a robot, in order */
  poses: { args: OfSystem & { robot: string }; result: { poses: CoachPose[] } };
  "poses.discard": { args: OfSystem & { robot: string }; result: null };
  /** times: duration of the motion to each goal, s; with group, the goals and the answer are of its joints. Nothing moves. */
  preview: { args: OfSystem & { robot: string; group?: string; goals: number[][]; times: number[] }; result: Preview };
}
