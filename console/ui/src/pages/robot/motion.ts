// How a robot moves: the newest positions of its joints and what goes with them, from the ports that the server names.

import type { Link, Watch } from "../../lib/link";
import type { Robot, Signal, Value } from "../../lib/wire";

/** A port that holds all joints, or one port for each. */
export type Refs = string | readonly string[] | null;

/** A robot with all that a server may tell of it. */
export interface RobotInfo {
  name: string;
  /** address of its URDF */
  urdf: string;
  joints: string[];
  position: Refs;
  desired: Refs;
  /** Inputs that take joint positions from the operator. */
  command: Refs;
  /** Ports with position (m) and orientation (x, y, z, w) of a base that moves. */
  base: { position: string; orientation: string } | null;
  /** Port with contact points and forces, or a port for each link with the force (N) that pushes it upwards. */
  contacts: string | readonly { link: string; ref: string }[] | null;
  /** Why it cannot be shown; "" where it can. */
  problem: string;
}

/** The newest that is known. Positions in the order of the robot's joints; NaN where nothing came. */
export interface Motion {
  /** system time of the newest, s */
  time: number;
  actual: number[];
  desired: number[] | null;
  base: { p: number[]; q: number[] } | null;
  contacts: Value;
  /** Forces upwards in N, by link. */
  loads: Readonly<Record<string, number>>;
}

/** A motion of which nothing is known yet. */
export const unmoved: Motion = { time: 0, actual: [], desired: null, base: null, contacts: null, loads: {} };

/** Fills in what an answer leaves out: a robot whose joints have ports of their own names them in signals. */
export function robotInfo(robot: Robot): RobotInfo {
  const { position, signals, ...rest } = robot as Robot & Partial<Omit<RobotInfo, "position">> & { signals?: Signal[] | null };
  const own = signals?.length ? signals.map((s) => s.ref) : null;
  return { command: null, base: null, contacts: null, problem: "", ...rest, position: position === "" ? own : position };
}

/** All ports that a robot's motion is read from. */
export function refsOf(robot: RobotInfo): string[] {
  const list = (refs: Refs): readonly string[] => (refs === null ? [] : typeof refs === "string" ? [refs] : refs);
  const base = robot.base === null ? [] : [robot.base.position, robot.base.orientation];
  const contacts = typeof robot.contacts === "string" ? [robot.contacts] : (robot.contacts ?? []).map((c) => c.ref);
  return [...new Set([...list(robot.position), ...list(robot.desired), ...base, ...contacts])];
}

/** Reads a motion from the newest value of each port. */
export function motionOf(robot: RobotInfo, values: ReadonlyMap<string, Value>, time: number): Motion {
  const joints = (refs: Refs): number[] => {
    const all = typeof refs === "string" ? numbers(values.get(refs)) : (refs ?? []).map((ref) => number(values.get(ref)));
    return robot.joints.map((_, i) => all[i] ?? NaN);
  };
  const base = robot.base && { p: numbers(values.get(robot.base.position)), q: numbers(values.get(robot.base.orientation)) };
  return {
    time,
    actual: joints(robot.position),
    desired: robot.desired === null ? null : joints(robot.desired),
    base: base !== null && base.p.length === 3 && base.q.length === 4 && [...base.p, ...base.q].every(Number.isFinite) ? base : null,
    contacts: (typeof robot.contacts === "string" && values.get(robot.contacts)) || null,
    loads: typeof robot.contacts === "string" ? {} : Object.fromEntries((robot.contacts ?? []).map(({ link, ref }) => [link, number(values.get(ref))])),
  };
}

/** Follows a robot of a system: calls onMotion at most rate times a second, until it is stopped. */
export function follow(link: Link, system: string, robot: RobotInfo, rate: number, onMotion: (motion: Motion) => void, onError: (e: Error) => void): Watch {
  const refs = refsOf(robot);
  const values = new Map<string, Value>();
  return link.watch(
    system,
    refs.map((ref) => ({ ref })),
    rate,
    (frame) => {
      for (const [index, , samples] of frame.s) {
        const [ref, value] = [refs[index], samples.at(-1)];
        if (ref !== undefined && value !== undefined) values.set(ref, value);
      }
      onMotion(motionOf(robot, values, frame.t * 1e-9));
    },
    onError,
  );
}

/** What to feed so that the joints are commanded to go to q. */
export function commandOf(refs: Refs, q: readonly number[]): { ref: string; value: Value }[] {
  if (refs === null) return [];
  if (typeof refs === "string") return [{ ref: refs, value: [...q] }];
  return refs.map((ref, i) => ({ ref, value: q[i] ?? 0 }));
}

/** Positions by the names of joints. */
export function byName(robot: RobotInfo, q: readonly number[]): Record<string, number> {
  return Object.fromEntries(robot.joints.map((name, i) => [name, q[i] ?? NaN]));
}

function number(value: Value | undefined): number {
  return typeof value === "number" ? value : Array.isArray(value) && value.length === 1 ? number(value[0]) : NaN;
}

function numbers(value: Value | undefined): number[] {
  return Array.isArray(value) ? value.map((v) => (typeof v === "number" ? v : NaN)) : typeof value === "number" ? [value] : [];
}
