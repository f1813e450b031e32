// Keeps a robot in the picture: the camera sees all poses that it has had.

import { Outline } from "./fit";
import type { MassMark } from "./marks";
import type { RobotModel } from "./model";
import type { Scene } from "./scene";

const lookEvery = 500; // ms

export class Framing {
  private readonly seen = new Outline(); // of all poses, about the position of the robot
  private looked = -Infinity; // when the robot was last compared with it, in ms

  constructor(
    private readonly scene: Scene,
    private readonly model: RobotModel,
    private readonly massMark: MassMark,
  ) {}

  /** Moves the camera away when the robot reaches out of the picture, unless the user has moved the camera. */
  keepInside(): void {
    const now = performance.now();
    if (now - this.looked < lookEvery || !this.scene.atViewpoint) return;
    this.looked = now;
    this.see([this.model], 0.015 * this.scene.size); // small motions leave the camera where it is, and use less than the picture's margin
  }

  /** Fits the scene to models as they are drawn, and to the mark of the centre of mass, if they reach farther than a margin in m out of what was seen so far. */
  see(models: readonly RobotModel[], margin: number): void {
    const { position } = this.model.object;
    const points = [...models.flatMap((m) => m.outline().points), ...this.massMark.corners].map((p) => p.clone().sub(position));
    if (points.every((p) => this.seen.holds(p, margin))) return;
    for (const p of points) this.seen.add(p);
    this.scene.frame(this.seen.points.map((p) => p.clone().add(position)));
  }
}
