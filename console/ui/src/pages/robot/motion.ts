// A robot's motion: the newest joint positions, base pose and contacts, read from its ports.

import type { App } from "../../lib/app.svelte";
import type { Client, Watch } from "../../lib/client";
import type { CoachPose, Contact, Robot } from "../../lib/robots";
import type { Value } from "../../lib/wire";
import { after, nothingShown, type Shown } from "./shown";

const showPeriod = 16; // ms in which the poses of programs are collected

/** The newest state. Positions are in the order of the robot's joints; NaN before the first value. */
export interface Motion {
  /** system time of the newest sample, s */
  time: number;
  actual: number[];
  desired: number[] | null;
  /** torques of the joints in N m, forces in N; null if no port has them */
  torque: number[] | null;
  base: { p: number[]; q: number[] } | null;
  contacts: Contact[];
  /** what programs show through the coach's port */
  shown: Shown;
}

/** The motion before the first sample. */
export const unmoved: Motion = { time: 0, actual: [], desired: null, torque: null, base: null, contacts: [], shown: nothingShown };

/** Returns all ports of a robot's motion, each once. */
export function refsOf(robot: Robot): string[] {
  const base = robot.base ? [robot.base.position, robot.base.orientation] : [];
  return [...new Set([...robot.position, ...robot.desired, ...(robot.torque ?? []), ...base, ...robot.contacts])];
}

/** Builds a motion from the newest value of each port. Joints without a position port are where programs show them, or at 0. */
export function motionOf(robot: Robot, values: ReadonlyMap<string, Value>, time: number, shown = nothingShown): Motion {
  if (shown.q !== null && shown.q.length !== robot.joints.length) shown = { ...shown, q: null };
  const joints = (refs: readonly string[]): number[] => {
    const all = refs.flatMap((ref) => numbers(values.get(ref)));
    return robot.joints.map((_, i) => all[i] ?? NaN);
  };
  const base = robot.base && { p: numbers(values.get(robot.base.position)), q: numbers(values.get(robot.base.orientation)) };
  return {
    time,
    actual: robot.position.length === 0 ? (shown.q ?? robot.joints.map(() => 0)) : joints(robot.position),
    desired: robot.desired.length === 0 ? null : joints(robot.desired),
    torque: robot.torque === undefined || robot.torque.length === 0 ? null : joints(robot.torque),
    base: base?.p.length === 3 && base.q.length === 4 && [...base.p, ...base.q].every(Number.isFinite) ? base : null,
    contacts: robot.contacts.flatMap((ref) => contactsOf(values.get(ref))),
    shown,
  };
}

/** Returns where a robot and its ghost are drawn: a robot that its system moves is at the pose of a program, and its ghost where it really is. */
export function drawn(robot: Robot, motion: Motion): { solid: readonly number[]; ghost: readonly number[] | null } {
  const { q } = motion.shown;
  return q !== null && robot.position.length > 0 ? { solid: q, ghost: motion.actual } : { solid: motion.actual, ghost: motion.desired };
}

/** Follows a robot at the time that is shown, and at present what programs show of it: calls onMotion at most rate times a second until it is stopped. */
export function follow({ client, timeline }: Pick<App, "client" | "timeline">, system: string, robot: Robot, rate: number, onMotion: (motion: Motion) => void, onError: (e: Error) => void): Pick<Watch, "stop"> {
  const refs = refsOf(robot);
  const values = new Map<string, Value>();
  let time = 0;
  const present = (): void => {
    if (timeline.at === null) onMotion(motionOf(robot, values, time, show.shown));
  };
  const show = followPrograms(client, system, robot, present, onError);
  if (robot.position.length === 0) onMotion(motionOf(robot, values, 0));
  if (refs.length === 0) return show;
  const unfollow = timeline.follow(refs, (past, at) => onMotion(motionOf(robot, past, at)), present);
  const watch = client.watch(
    system,
    refs.map((ref) => ({ ref })),
    rate,
    (frame) => {
      for (const [index, , samples] of frame.s) {
        const [ref, value] = [refs[index], samples.at(-1)];
        if (ref !== undefined && value !== undefined) values.set(ref, value);
      }
      time = frame.t * 1e-9;
      present();
    },
    onError,
    true,
  );
  return {
    stop: () => {
      unfollow();
      watch.stop();
      show.stop();
    },
  };
}

/** Collects what programs show of a robot, also before, and calls onChange after changes. */
function followPrograms(client: Client, system: string, robot: Robot, onChange: () => void, onError: (e: Error) => void): Pick<Watch, "stop"> & { readonly shown: Shown } {
  let shown = nothingShown;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const take = (p: CoachPose): void => {
    if (stopped || p.system !== system || p.robot !== robot.name) return;
    shown = after(shown, p);
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, showPeriod);
  };
  const ask = (): void => {
    client.request("poses", { system, robot: robot.name }).then(({ poses }) => {
      if (shown === nothingShown && poses.length === 0) return;
      take({ system, robot: robot.name });
      poses.forEach(take);
    }, onError);
  };
  const ends = [client.onPose(take), client.onState((state) => state === "connected" && ask())];
  ask();
  return {
    get shown() {
      return shown;
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      for (const end of ends) end();
    },
  };
}

/**
 * Returns a comfortable duration of a motion in s: the slowest joint reaches half its maximum speed. The peak speed of a
 * minimum-jerk motion is 1.875 times its mean speed.
 */
export function easyTime(robot: Robot, to: readonly number[], from: readonly number[], speeds: ReadonlyMap<string, number>): number {
  const times = robot.joints.map((name, i) => (1.875 * Math.abs((to[i] ?? NaN) - (from[i] ?? NaN))) / (0.5 * (speeds.get(name) ?? 1)));
  const longest = Math.max(1, ...times.filter(Number.isFinite));
  return Math.ceil(2 * longest) / 2;
}

/** Returns positions by joint name. */
export function byName(robot: Robot, q: readonly number[]): Record<string, number> {
  return Object.fromEntries(robot.joints.map((name, i) => [name, q[i] ?? NaN]));
}

/** Reads the contacts of a port: one, or a list. Contacts with non-finite numbers are dropped. */
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
