// The user's hand on the robot: a pose that is dragged together joint by joint, or by the tool, for which the server solves
// the inverse kinematics. The pose is only shown, until the robot is told to move there.

import type { Console } from "../../lib/console.svelte";
import type { Robot } from "../../lib/robots";
import type { Wish } from "./view";

export class Hand {
  /** Joint positions in the robot's order; null while the robot shows itself. */
  pose = $state.raw<number[] | null>(null);
  /** Why the tool cannot go where it is dragged; "" while it can. */
  why = $state("");

  private robot: Robot | null = null;
  private actual: readonly number[] = [];
  private solving = false;
  private wanted: { link: string; pose: Wish } | null = null;

  constructor(private readonly app: Console) {}

  /** Tells which robot there is and where it is now. */
  begin(robot: Robot | null, actual: readonly number[]): void {
    this.robot = robot;
    this.actual = actual;
  }

  moveJoint(joint: string, position: number): void {
    const index = this.robot?.joints.indexOf(joint) ?? -1;
    if (index < 0) return;
    const q = this.start();
    q[index] = position;
    this.pose = q;
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

  /** Lets the robot move to the pose in some seconds, by the operation that it has for that. Then it shows itself again. */
  async go(seconds: number): Promise<void> {
    const { robot, pose, app } = this;
    if (robot?.move === undefined || pose === null) return;
    const ref = robot.move;
    const done = await app.attempt(() => app.link.request("call", { system: app.system, ref, args: [pose, seconds] }).then(() => true), `${robot.name} moves there in ${seconds} s.`);
    if (done) this.release();
  }

  /** Lets go: the robot shows itself again. */
  release(): void {
    this.pose = null;
    this.why = "";
  }

  private start(): number[] {
    return [...(this.pose ?? this.robot?.joints.map((_, i) => (Number.isFinite(this.actual[i]) ? (this.actual[i] as number) : 0)) ?? [])];
  }

  private async solve(): Promise<void> {
    this.solving = true;
    while (this.wanted !== null && this.robot !== null) {
      const { link, pose } = this.wanted;
      this.wanted = null;
      try {
        const answer = await this.app.link.request("ik", { system: this.app.system, robot: this.robot.name, link, pose, q: this.start() });
        this.why = answer.ok ? "" : answer.why || "out of reach";
        if (answer.q.length === this.robot.joints.length && answer.q.every(Number.isFinite)) this.pose = answer.q;
      } catch (e) {
        this.why = e instanceof Error ? e.message : String(e);
      }
    }
    this.solving = false;
  }
}
