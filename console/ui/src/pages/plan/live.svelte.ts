// The robot of a running system: where it is now, and the motion that is sent to it by the operation that moves it.

import type { App } from "../../lib/app.svelte";
import { messageOf } from "../../lib/errors";
import type { Why } from "../../lib/plans";
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

export class LiveRobot {
  /** The robot of the system; null without one. */
  robot = $state.raw<Robot | null>(null);
  /** Whether the start is where the robot is. */
  following = $state(true);
  /** Why the robot cannot be followed. */
  problem = $state("");
  readonly poses: PoseEditor;
  private motion: Motion = unmoved;
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
      this.poses.stopRun();
      this.robot = null;
    };
  }

  /** Sets the start to where the robot is, if it follows it and the robot rests. */
  update(): void {
    const { robot, planning } = this;
    if (robot === null || !this.following || planning.setting === null || this.poses.running !== null) return;
    const q = planning.setting.joints.map((joint, i) => this.motion.actual[robot.joints.indexOf(joint)] ?? planning.start[i] ?? 0);
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
    const [unlimited] = this.planning.setting?.unlimited ?? [];
    if (unlimited !== undefined) return this.app.notify(`The motion is not sent: joint "${unlimited}" has no greatest velocity in the description; add it there.`, true);
    if (this.robot?.path === undefined) return this.sendCorners(joints);
    await this.sendPath(this.robot, this.robot.path);
  }

  /** Sends points of the planned motion to a block that runs paths. */
  private async sendPath(robot: Robot, { point, run, outcome }: NonNullable<Robot["path"]>): Promise<void> {
    const { planning, app, motion } = this;
    const { plan, entry, setting } = planning;
    if (plan === null || plan.why !== null || entry === null || setting === null || this.sending) return;
    const inOrder = (q: ArrayLike<number>): number[] => robot.joints.map((joint) => q[setting.joints.indexOf(joint)] ?? 0);
    const points = thinned(plan.q, mostPoints).map((q) => [...q]);
    const here = setting.joints.map((joint, i) => motion.actual[robot.joints.indexOf(joint)] ?? planning.start[i] ?? 0);
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
   * among the obstacles; one that is not free is not sent.
   */
  private async sendCorners(joints: readonly JointInfo[]): Promise<void> {
    const { robot, planning, app, poses } = this;
    const { plan, entry, setting } = planning;
    if (robot?.move === undefined || plan === null || plan.why !== null || entry === null || setting === null || poses.running !== null) return;
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
    poses.update(robot, this.motion);
    poses.waypoints = goals.slice(0, -1);
    poses.pose = goals.at(-1) ?? null;
    await poses.go(times);
    poses.discard();
  }

  private moved(m: Motion): void {
    this.motion = m;
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
