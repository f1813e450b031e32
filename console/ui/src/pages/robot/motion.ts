// How a robot moves: the newest positions of its joints and what goes with them, from the ports that the server names.

import type { Link, Watch } from "../../lib/link";
import type { Contact, Robot } from "../../lib/robots";
import type { Value } from "../../lib/wire";

/** The newest that is known. Positions in the order of the robot's joints; NaN where nothing came. */
export interface Motion {
  /** system time of the newest, s */
  time: number;
  actual: number[];
  desired: number[] | null;
  base: { p: number[]; q: number[] } | null;
  contacts: Contact[];
}

/** A motion of which nothing is known yet. */
export const unmoved: Motion = { time: 0, actual: [], desired: null, base: null, contacts: [] };

/** All ports that a robot's motion is read from. */
export function refsOf(robot: Robot): string[] {
  const base = robot.base ? [robot.base.position, robot.base.orientation] : [];
  return [...new Set([...robot.position, ...robot.desired, ...base, ...robot.contacts])];
}

/** Reads a motion from the newest value of each port. Joints of which nobody tells are at 0. */
export function motionOf(robot: Robot, values: ReadonlyMap<string, Value>, time: number): Motion {
  const joints = (refs: readonly string[]): number[] => {
    const all = refs.flatMap((ref) => numbers(values.get(ref)));
    return robot.joints.map((_, i) => all[i] ?? NaN);
  };
  const base = robot.base && { p: numbers(values.get(robot.base.position)), q: numbers(values.get(robot.base.orientation)) };
  return {
    time,
    actual: robot.position.length === 0 ? robot.joints.map(() => 0) : joints(robot.position),
    desired: robot.desired.length === 0 ? null : joints(robot.desired),
    base: base?.p.length === 3 && base.q.length === 4 && [...base.p, ...base.q].every(Number.isFinite) ? base : null,
    contacts: robot.contacts.flatMap((ref) => contactsOf(values.get(ref))),
  };
}

/** Follows a robot of a system: calls onMotion at most rate times a second, until it is stopped. */
export function follow(link: Link, system: string, robot: Robot, rate: number, onMotion: (motion: Motion) => void, onError: (e: Error) => void): Pick<Watch, "stop"> {
  const refs = refsOf(robot);
  const values = new Map<string, Value>();
  if (robot.position.length === 0) onMotion(motionOf(robot, values, 0));
  if (refs.length === 0) return { stop: () => undefined };
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
    true,
  );
}

/**
 * Seconds that a motion may take without hurry: the joint that has most to do reaches half of its speed. A motion of least
 * jerk is at most 1.875 times as fast as on average.
 */
export function easyTime(robot: Robot, to: readonly number[], from: readonly number[], speeds: ReadonlyMap<string, number>): number {
  const times = robot.joints.map((name, i) => (1.875 * Math.abs((to[i] ?? NaN) - (from[i] ?? NaN))) / (0.5 * (speeds.get(name) ?? 1)));
  const longest = Math.max(1, ...times.filter(Number.isFinite));
  return Math.ceil(2 * longest) / 2;
}

/** Positions by the names of joints. */
export function byName(robot: Robot, q: readonly number[]): Record<string, number> {
  return Object.fromEntries(robot.joints.map((name, i) => [name, q[i] ?? NaN]));
}

/** The contacts of a port: one, or a list. What is no number is left out. */
export function contactsOf(value: Value | undefined): Contact[] {
  if (Array.isArray(value)) return value.flatMap(contactsOf);
  if (typeof value !== "object" || value === null) return [];
  const { point, force } = value as Partial<Record<string, Value>>;
  const [p, f] = [numbers(point), numbers(force)];
  if (p.length !== 3 || f.length !== 3 || ![...p, ...f].every(Number.isFinite)) return [];
  return [{ point: p as Contact["point"], force: f as Contact["force"] }];
}

function numbers(value: Value | undefined): number[] {
  return Array.isArray(value) ? value.map((v) => (typeof v === "number" ? v : NaN)) : typeof value === "number" ? [value] : [NaN];
}
