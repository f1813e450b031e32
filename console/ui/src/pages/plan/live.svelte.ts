// The robot of a running system: where it is now, and the motion that is sent to it by the operation that moves it.

import type { App } from "../../lib/app.svelte";
import { messageOf } from "../../lib/errors";
import type { Plan, Why } from "../../lib/plans";
import { compiledOf, type Compiled } from "../../lib/programs";
import type { Robot } from "../../lib/robots";
import type { JointInfo } from "../robot/model";
import { easyTime, follow, unmoved, type Motion } from "../robot/motion";
import { PoseEditor } from "../robot/poseeditor.svelte";
import { thinned } from "./play";
import type { Planning } from "./planning.svelte";
import { begun } from "./run.svelte";

const rate = 20; // positions a second
const still = 2e-3; // rad or m; smaller changes of the robot do not change the start

const mostPoints = 60; // of a path; more of them make the motion slower

const settle = 300; // ms after the last change of the plan until its times are asked for

/** A plan with the motion that a block makes of it. */
export interface Timed {
  plan: Plan;
  motion: Compiled;
}

export class LiveRobot {
  /** The robot of the system; null without one. */
  robot = $state.raw<Robot | null>(null);
  /** Whether the start is where the robot is. */
  following = $state(true);
  /** Why the robot cannot be followed. */
  problem = $state("");
  readonly poses: PoseEditor;
  private timed = $state.raw<Timed | null>(null);
  /** Why it cannot run the plan, or has no times of it. */
  untimed = $state("");
  private moving: Motion = unmoved;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private sending = false;

  constructor(
    private readonly app: App,
    private readonly planning: Planning,
  ) {
    this.poses = new PoseEditor(app);
  }

  /** Follows a robot of a system until the returned function is called. */
  follow(system: string, name: string): () => void {
    let stop: (() => void) | null = null;
    let gone = false;
    this.app.client.request("robot", { system }).then(
      ({ robots }) => {
        const robot = robots.find((r) => r.name === name);
        if (gone || robot === undefined) return;
        this.robot = robot;
        stop = follow(this.app, system, robot, rate, (m) => this.moved(m), (e) => (this.problem = e.message)).stop;
      },
      (e: unknown) => (this.problem = messageOf(e)),
    );
    return () => {
      gone = true;
      stop?.();
      clearTimeout(this.settling);
      this.timed = null;
      this.poses.stopRun();
      this.robot = null;
    };
  }

  /** The motion that the block which runs paths would make of the plan; null: unknown. */
  get motion(): Compiled | null {
    return this.timed?.plan === this.planning.plan ? (this.timed?.motion ?? null) : null;
  }

  /** The plan, with the times of that motion where they are known. */
  get plan(): Plan | null {
    const { motion, planning } = this;
    return planning.plan === null || motion === null ? planning.plan : { ...planning.plan, duration: motion.duration, q: motion.q };
  }

  /** Asks for the times of the plan, once it has not changed for a while. */
  time(): void {
    clearTimeout(this.settling);
    const { plan, entry, start } = this.planning;
    if (this.timed?.plan !== plan) this.timed = null;
    this.untimed = "";
    if (this.robot?.path === undefined || entry === null || plan === null || plan.why !== null || plan.q.length < 2 || this.timed !== null) return;
    this.settling = setTimeout(() => {
      this.app.client.request("plan.time", { ...entry, start, points: thinned(plan.q, mostPoints).map((q) => [...q]) }).then(
        (reply) => {
          if (this.planning.plan !== plan) return;
          this.untimed = reply.problems[0]?.text ?? "";
          if (this.untimed === "") this.timed = { plan, motion: compiledOf(reply, start.length) };
        },
        (e: unknown) => {
          if (this.planning.plan === plan) this.untimed = messageOf(e);
        },
      );
    }, settle);
  }

  /** Sets the start to where the robot is, if it follows it and the robot rests. */
  update(): void {
    const { robot, planning } = this;
    if (robot === null || !this.following || planning.setting === null || this.poses.running !== null) return;
    const q = planning.setting.joints.map((joint, i) => this.moving.actual[robot.joints.indexOf(joint)] ?? planning.start[i] ?? 0);
    if (q.every(Number.isFinite) && q.some((x, i) => Math.abs(x - (planning.start[i] ?? NaN)) > still)) planning.set("start", q);
  }

  /** What *Move there* does; "" if nothing can move the robot. */
  get how(): string {
    const { robot } = this;
    if (robot?.path !== undefined) return `${blockOf(robot.path.run)} runs the path without a stop, within its own limits`;
    return robot?.move === undefined ? "" : `${blockOf(robot.move)} moves from corner to corner of the path, with a stop at each`;
  }

  /** Sends the plan to the robot, if the way is free from where it is: as a path, or corner by corner. */
  async send(joints: readonly JointInfo[]): Promise<void> {
    if (this.robot?.path === undefined) return this.sendCorners(joints);
    await this.sendPath(this.robot, this.robot.path);
  }

  /** Sends points of the planned motion to a block that runs paths. */
  private async sendPath(robot: Robot, { point, run, outcome }: NonNullable<Robot["path"]>): Promise<void> {
    const { planning, app, moving } = this;
    const { plan, entry, setting } = planning;
    if (plan === null || plan.why !== null || entry === null || setting === null || this.sending) return;
    const inOrder = (q: ArrayLike<number>): number[] => robot.joints.map((joint) => q[setting.joints.indexOf(joint)] ?? 0);
    const points = thinned(plan.q, mostPoints).map((q) => [...q]);
    const here = setting.joints.map((joint, i) => moving.actual[robot.joints.indexOf(joint)] ?? planning.start[i] ?? 0);
    this.sending = true;
    await app.attempt(async () => {
      const { why } = await app.client.request("plan.check", { ...entry, objects: planning.objects, q: [here, ...points] });
      if (why !== null) throw new Error(refusal("on the way from where the robot is", why));
      for (const [i, q] of points.entries()) await app.client.request("call", { system: entry.system, ref: point, args: [i + 1, inOrder(q)] });
      await app.client.request("call", { system: entry.system, ref: run, args: [] });
      if (outcome !== undefined) await begun(app, entry.system, outcome);
    }, `${blockOf(run)} moves ${robot.name} along the path.`);
    this.sending = false;
  }

  /**
   * Sends the plan to the robot: its operation moves it from corner to corner of the path. Before, the motion that the operation would make is checked
   * among the obstacles; one that is not free is not sent. Its times are those of the description's velocities, which all joints need; a block that runs paths
   * has limits of its own.
   */
  private async sendCorners(joints: readonly JointInfo[]): Promise<void> {
    const { robot, planning, app, poses } = this;
    const { plan, entry, setting } = planning;
    if (robot?.move === undefined || plan === null || plan.why !== null || entry === null || setting === null || poses.running !== null) return;
    const [unlimited] = setting.unlimited;
    if (unlimited !== undefined) return app.notify(`The motion is not sent: joint "${unlimited}" has no greatest velocity in the description; add it there.`, true);
    const inOrder = (q: readonly number[]): number[] => robot.joints.map((joint) => q[setting.joints.indexOf(joint)] ?? 0);
    const speeds = new Map(joints.map((j) => [j.name, j.speed]));
    const goals = plan.waypoints.slice(1).map(inOrder);
    const times = goals.map((goal, i) => easyTime(robot, goal, goals[i - 1] ?? inOrder(planning.start), speeds));
    const free = await app.attempt(async () => {
      const { q } = await app.client.request("preview", { system: entry.system, robot: robot.name, goals, times });
      const back = (p: readonly number[]): number[] => setting.joints.map((joint) => p[robot.joints.indexOf(joint)] ?? 0);
      const { why } = await app.client.request("plan.check", { ...entry, objects: planning.objects, q: q.map(back) });
      if (why === null) return true;
      throw new Error(refusal(`as ${robot.move} would run it`, why));
    });
    if (free !== true) return;
    poses.update(robot, this.moving);
    poses.waypoints = goals.slice(0, -1);
    poses.pose = goals.at(-1) ?? null;
    await poses.go(times);
    poses.discard();
  }

  private moved(m: Motion): void {
    this.moving = m;
    this.poses.update(this.robot, m);
    this.update();
  }
}

const blockOf = (ref: string): string => ref.slice(0, ref.lastIndexOf("."));

/** Explains why a motion is not sent. */
function refusal(where: string, why: Why): string {
  const [c] = why.contacts;
  return `The motion is not sent: ${where}, ${c === undefined ? "it is in collision" : `${c.a} and ${c.b} touch`}. Leave more room, or start where the robot is.`;
}
