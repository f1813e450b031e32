// The user's hand on the robot: a pose that is dragged together joint by joint, or by the tool, for which the server solves
// the inverse kinematics. The pose is only shown until it is sent.

import type { Console } from "../../lib/console.svelte";
import { commandOf, type RobotInfo } from "./motion";
import type { Pose, Wish } from "./view";

export class Hand {
  /** Joint positions in the robot's order; null while the robot shows itself. */
  pose = $state.raw<number[] | null>(null);
  /** Why the tool cannot go where it is dragged; "" while it can. */
  why = $state("");
  /** Whether each movement of the hand is sent at once. */
  sending = $state(false);

  private robot: RobotInfo | null = null;
  private actual: readonly number[] = [];
  private solving = false;
  private wanted: { link: string; pose: Wish } | null = null;
  private feeding = false;

  constructor(private readonly app: Console) {}

  /** Tells which robot there is and where it is now. */
  begin(robot: RobotInfo | null, actual: readonly number[]): void {
    this.robot = robot;
    this.actual = actual;
  }

  moveJoint(joint: string, position: number): void {
    const index = this.robot?.joints.indexOf(joint) ?? -1;
    if (index < 0) return;
    const q = this.start();
    q[index] = position;
    this.take(q);
    this.why = "";
  }

  /** Wants a link at a pose in the frame of the base. While the server solves, only the newest wish is kept. */
  moveTool(link: string, pose: Wish): void {
    this.wanted = { link, pose };
    if (!this.solving) void this.solve();
  }

  dropTool(): void {
    this.wanted = null;
  }

  /** Gives the pose to the robot. */
  async send(): Promise<void> {
    const { robot, pose, app } = this;
    if (robot === null || pose === null) return;
    await app.attempt(() => Promise.all(commandOf(robot.command, pose).map(({ ref, value }) => app.link.request("feed", { system: app.system, ref, value }))));
  }

  /** Lets go: the robot shows itself again, and inputs that were fed are released. */
  release(): void {
    const fed = this.sending && this.robot !== null ? commandOf(this.robot.command, this.pose ?? []) : [];
    this.sending = false;
    this.pose = null;
    this.why = "";
    const { app } = this;
    for (const { ref } of fed) void app.attempt(() => app.link.request("release", { system: app.system, ref }));
  }

  private start(): number[] {
    return [...(this.pose ?? this.robot?.joints.map((_, i) => (Number.isFinite(this.actual[i]) ? (this.actual[i] as number) : 0)) ?? [])];
  }

  private take(q: number[]): void {
    this.pose = q;
    if (!this.sending || this.feeding) return;
    this.feeding = true;
    void this.send().finally(() => (this.feeding = false));
  }

  private async solve(): Promise<void> {
    this.solving = true;
    while (this.wanted !== null && this.robot !== null) {
      const { link, pose } = this.wanted;
      this.wanted = null;
      try {
        const answer = await this.app.link.request("ik", { system: this.app.system, robot: this.robot.name, link, pose: pose as Pose, q: this.start() });
        this.why = answer.ok ? "" : answer.why || "out of reach";
        if (answer.q.length === this.robot.joints.length && answer.q.every(Number.isFinite)) this.take(answer.q);
      } catch (e) {
        this.why = e instanceof Error ? e.message : String(e);
      }
    }
    this.solving = false;
  }
}
