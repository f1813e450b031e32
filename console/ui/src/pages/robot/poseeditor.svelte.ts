// The pose set by the user: joint by joint, or by dragging the tool, for which the server solves the inverse kinematics. Poses before it are
// waypoints. All of this is only drawn, with a preview of the motion, until the user moves the robot there.

import type { App } from "../../lib/app.svelte";
import type { JointGroup, Preview, Robot } from "../../lib/robots";
import { messageOf } from "../../lib/errors";
import { noSystem } from "../../lib/plans";
import { unmoved, type Motion } from "./motion";
import type { PoseTarget } from "./view";

export class PoseEditor {
  /** Joint positions in the robot's order; null without a manual pose. */
  pose = $state.raw<number[] | null>(null);
  /** Why the tool cannot reach the dragged pose; "" if it can. */
  problem = $state("");

  /** The joints that are posed and moved; null for all. */
  group = $state.raw<JointGroup | null>(null);

  /** Poses on the way to the pose. */
  waypoints = $state.raw<number[][]>([]);
  /** The motion that Move there would run; null if none is known. */
  preview = $state.raw<Preview | null>(null);
  /** Why there is no preview. */
  previewProblem = $state("");
  /** Time in the preview that is drawn, s. */
  scrub = $state(0);
  /** Progress through waypoints; null at rest. */
  running = $state.raw<{ done: number; of: number } | null>(null);

  private robot: Robot | null = null;
  private motion: Motion = unmoved;
  private plans = 0; // requests for previews
  private discards = 0;
  private solving = false;
  private wanted: { link: string; pose: PoseTarget } | null = null;

  constructor(private readonly app: App) {}

  /** Sets the robot and its current motion. */
  update(robot: Robot | null, motion: Motion): void {
    this.robot = robot;
    this.motion = motion;
  }

  /** Selects a group of the robot's joints, or all with null, and discards the pose. */
  select(group: JointGroup | null): void {
    this.discard();
    this.group = group;
  }

  /** The operation that moves the selected joints. */
  get mover(): string | undefined {
    return this.group === null ? this.robot?.move : this.group.move;
  }

  /** Reports whether a joint is among the selected ones. */
  selects(joint: string): boolean {
    return this.group === null || this.group.joints.includes(joint);
  }

  moveJoint(joint: string, position: number): void {
    const index = this.robot?.joints.indexOf(joint) ?? -1;
    if (index < 0 || !this.selects(joint)) return;
    const q = this.start();
    q[index] = position;
    this.pose = q;
    this.problem = "";
  }

  /** Moves a link to a pose in the base frame. While a request is in flight, only the newest pose is kept. */
  moveTool(link: string, pose: PoseTarget): void {
    this.wanted = { link, pose };
    if (!this.solving) void this.solve();
  }

  dropTool(): void {
    this.wanted = null;
  }

  /** Adds the pose to the waypoints. */
  addWaypoint(): void {
    if (this.pose !== null) this.waypoints = [...this.waypoints, this.pose];
  }

  clearWaypoints(): void {
    this.waypoints = [];
  }

  /** All goals in their order: the waypoints, then the pose. */
  get goals(): number[][] {
    const { pose, waypoints } = this;
    if (pose === null) return [];
    const last = waypoints.at(-1);
    return last === pose ? [...waypoints] : [...waypoints, pose];
  }

  /** Requests a preview of the motion to the goals, in the given seconds each. While a request is in flight, only the newest is kept. */
  async plan(goals: number[][], times: number[]): Promise<void> {
    const { robot, app, group } = this;
    if (robot === null || this.mover === undefined) return;
    const count = ++this.plans;
    try {
      const preview = await app.client.request("preview", { system: app.system, robot: robot.name, ...(group === null ? {} : { group: group.name }), goals: goals.map((q) => this.part(q)), times });
      if (count !== this.plans) return;
      const whole = goals[0] ?? [];
      this.preview = { ...preview, q: preview.q.map((q) => this.whole(q, whole)) };
      this.previewProblem = "";
    } catch (e) {
      if (count !== this.plans) return;
      this.preview = null;
      this.previewProblem = messageOf(e);
    }
  }

  /** Joint positions of the preview at the scrubbed time; null while it is at its beginning. */
  get scrubbed(): number[] | null {
    const { preview, scrub } = this;
    return preview === null || scrub <= 0 || this.pose === null ? null : positionsAt(preview, scrub);
  }

  /**
   * Moves the robot to the goals with its move operation, in the given seconds each, and discards the pose. With waypoints, the page calls the
   * operation for each goal when the one before is reached: the motion ends at the next goal if the page is left.
   */
  async go(times: readonly number[]): Promise<void> {
    const { robot, app, goals } = this;
    const ref = this.mover;
    if (robot === null || ref === undefined || goals.length === 0 || this.running !== null) return;
    const name = this.group === null ? robot.name : `${robot.name}’s ${this.group.name}`;
    const run = { done: 0, of: goals.length };
    for (const [i, goal] of goals.entries()) {
      const seconds = times[i] ?? 0;
      const text = goals.length === 1 ? `${name} is moving to the pose in ${seconds} s.` : `${name} is moving to goal ${i + 1} of ${goals.length} in ${seconds} s.`;
      const called = await app.attempt(() => app.client.request("call", { system: app.system, ref, args: [this.part(goal), seconds] }).then(() => true), text);
      if (called !== true) break;
      if (i === 0) this.discard();
      if (goals.length === 1) return;
      this.running = { ...run, done: i };
      const outcome = await this.arrival(goal, seconds);
      if (outcome === "stopped") break;
      if (outcome === "late") {
        app.notify(`${robot.name} has not reached goal ${i + 1}; the goals after it are dropped.`, true);
        break;
      }
    }
    this.running = null;
  }

  /** Drops the goals after the next one of a motion through waypoints. */
  stopRun(): void {
    this.running = null;
  }

  /** Discards the pose, its waypoints and its preview. */
  discard(): void {
    this.plans++;
    this.discards++; // so that the answer to a request in flight does not bring the pose back
    this.wanted = null;
    this.pose = null;
    this.problem = "";
    this.waypoints = [];
    this.preview = null;
    this.previewProblem = "";
    this.scrub = 0;
  }

  /** Waits until the desired positions, or else the actual ones, are at a goal. */
  private async arrival(goal: readonly number[], seconds: number): Promise<"there" | "stopped" | "late"> {
    const begun = this.motion.time;
    for (;;) {
      await new Promise((done) => setTimeout(done, 50));
      if (this.running === null) return "stopped";
      const { desired, actual, time } = this.motion;
      const [now, tolerance] = desired === null ? [actual, 0.02] : [desired, 1e-4];
      if (time > begun && goal.every((q, i) => !this.selects(this.robot?.joints[i] ?? "") || Math.abs(q - (now[i] ?? NaN)) < tolerance)) return "there";
      if (time > begun + 1.5 * seconds + 10) return "late";
    }
  }

  /** Returns the positions of the selected joints in the order of their operation. */
  private part(q: readonly number[]): number[] {
    const { robot, group } = this;
    return group === null || robot === null ? [...q] : group.joints.map((joint) => q[robot.joints.indexOf(joint)] ?? NaN);
  }

  /** Returns the positions of all joints, of which a part is as given, and the rest as in a pose. */
  private whole(part: readonly number[], pose: readonly number[]): number[] {
    const { robot, group } = this;
    if (group === null || robot === null) return [...part];
    return robot.joints.map((joint, i) => part[group.joints.indexOf(joint)] ?? pose[i] ?? NaN);
  }

  private start(): number[] {
    return [...(this.pose ?? this.robot?.joints.map((_, i) => (Number.isFinite(this.motion.actual[i]) ? (this.motion.actual[i] as number) : 0)) ?? [])];
  }

  private async solve(): Promise<void> {
    this.solving = true;
    while (this.wanted !== null && this.robot !== null) {
      const { link, pose } = this.wanted;
      this.wanted = null;
      const { discards } = this;
      try {
        const answer = await this.app.client.request("ik", { system: this.app.system || noSystem, robot: this.robot.name, link, pose, q: this.start() });
        if (discards !== this.discards) continue;
        const before = this.start();
        const others = answer.q.some((q, i) => !this.selects(this.robot?.joints[i] ?? "") && Math.abs(q - (before[i] ?? NaN)) > 1e-6);
        this.problem = others ? `the tool moves joints outside ${this.group?.name ?? ""}` : answer.ok ? "" : answer.why || "out of reach";
        if (!others && answer.q.length === this.robot.joints.length && answer.q.every(Number.isFinite)) this.pose = answer.q;
      } catch (e) {
        if (discards === this.discards) this.problem = messageOf(e);
      }
    }
    this.solving = false;
  }
}

/** Returns the joint positions of a preview at a time in s, between two samples on a line. */
export function positionsAt(preview: Preview, time: number): number[] {
  const { times, q } = preview;
  const after = times.findIndex((t) => t >= time);
  if (after <= 0) return q[after < 0 ? q.length - 1 : 0] ?? [];
  const [a, b] = [times[after - 1] ?? 0, times[after] ?? 0];
  const part = (time - a) / (b - a);
  return (q[after] ?? []).map((to, i) => (q[after - 1]?.[i] ?? to) * (1 - part) + to * part);
}
