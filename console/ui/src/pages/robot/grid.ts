// The grid on the floor, z = 0: lines at a round distance, every fifth as a major line, and the axes x (red) and y (green).

import * as THREE from "three";
import { roundStep } from "../scope/axes";
import { dispose } from "./dispose";

const half = 30; // cells on each side of the middle
const major = 5; // cells between major lines
const axes = [
  ["#d64545", new THREE.Vector3(1, 0, 0)],
  ["#3f9b4f", new THREE.Vector3(0, 1, 0)],
] as const;

export class Grid {
  readonly group = new THREE.Group();
  /** Size of a cell in m. */
  cell = 0.1;
  private lines = new THREE.Group(); // without the axes

  /** Draws the grid around a robot of a size in m. */
  draw(size: number, colours: { minor: string; major: string }): void {
    this.group.traverse(dispose);
    this.cell = roundStep(size / 10);
    const all = Array.from({ length: 2 * half + 1 }, (_, i) => i - half);
    this.lines = new THREE.Group();
    this.lines.add(this.parallels(all.filter((i) => i % major !== 0), colours.minor), this.parallels(all.filter((i) => i % major === 0), colours.major));
    this.group.clear();
    this.group.add(this.lines);
    for (const [colour, direction] of axes) {
      const points = [new THREE.Vector3(), direction.clone().multiplyScalar(half * this.cell)];
      const axis = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: colour }));
      axis.position.z = size / 1000; // above the line at the same place
      this.group.add(axis);
    }
  }

  /** Moves the lines, but not the axes, to the major line next to a place. */
  moveTo(place: THREE.Vector3): void {
    const step = major * this.cell;
    this.lines.position.set(Math.round(place.x / step) * step, Math.round(place.y / step) * step, 0);
  }

  /** Returns lines of both directions at the given multiples of a cell. */
  private parallels(at: readonly number[], colour: string): THREE.LineSegments {
    const ends: number[] = [];
    for (const i of at) {
      // In short pieces: software renderers drop a line that begins far behind the camera.
      for (let from = -half; from < half; from += major) {
        const [place, a, b] = [i * this.cell, from * this.cell, (from + major) * this.cell];
        ends.push(place, a, 0, place, b, 0, a, place, 0, b, place, 0);
      }
    }
    return new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends, 3)), new THREE.LineBasicMaterial({ color: colour }));
  }
}
