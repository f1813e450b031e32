// Pushing a simulated robot with the mouse: whether it is on, and the present force.

import type { App } from "../../lib/app.svelte";
import { messageOf } from "../../lib/errors";
import type { Robot } from "../../lib/robots";
import { Pusher } from "./pusher";
import type { RobotView } from "./view";

export class Pushing {
  /** Whether the mouse pushes, instead of posing joints. */
  on = $state(false);
  /** Force in N while the mouse pushes; null otherwise. */
  force = $state.raw<readonly number[] | null>(null);

  constructor(private readonly app: App) {}

  /** Lets the mouse push a robot's link in a view, if its simulator offers that. */
  attach(view: RobotView, robot: Robot): void {
    if (robot.push === undefined) return;
    const { port: ref, link } = robot.push;
    const { client, system } = this.app;
    const pusher = new Pusher({
      feed: (value, seconds) => client.request("feed", { system, ref, value, for_s: seconds }),
      release: () => client.request("release", { system, ref }),
      failed: (e) => this.app.notify(messageOf(e), true),
    });
    view.enablePush(link, (force) => {
      this.force = force;
      pusher.push(force);
    });
  }

  /** Switches pushing on or off, if the robot offers it and the user may. */
  toggle(robot: Robot | null): void {
    if (robot?.push !== undefined && this.app.can("drive")) this.on = !this.on;
  }
}
