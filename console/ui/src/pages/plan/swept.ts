// The swept volume: copies of the robot along its motion.

import * as THREE from "three";
import { isRevealed } from "../robot/colliders";
import type { RobotModel } from "../robot/model";

/** Robots that are drawn along a motion. */
export const copies = 14;

/** Returns the indices of `count` samples of n at equal distances, without the first and the last. */
export function between(n: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * (n - 1)) / (count + 1))).filter((k, i, all) => k > 0 && k < n - 1 && k !== all[i - 1]);
}

export class Swept {
  readonly group = new THREE.Group();
  readonly material = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.14, depthWrite: false });

  /** Draws a robot at each of these positions, by the name of the joint. The model is left at the last one. */
  show(model: RobotModel, all: readonly Readonly<Record<string, number>>[]): void {
    this.group.clear(); // geometries are the model's
    for (const q of all) {
      model.move(q);
      model.object.traverse((o) => {
        if (!(o instanceof THREE.Mesh) || !isRevealed(o) || model.jointOf(o) === null) return; // the base rests
        const copy = new THREE.Mesh(o.geometry as THREE.BufferGeometry, this.material);
        copy.matrixAutoUpdate = false;
        copy.matrix.copy(o.matrixWorld);
        copy.raycast = () => undefined;
        this.group.add(copy);
      });
    }
  }
}
