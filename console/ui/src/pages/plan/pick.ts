// Obstacles are selected by a click.

import * as THREE from "three";
import type { Scene } from "../robot/scene";
import type { Obstacles } from "./bodies";

export interface PickActions {
  /** name of the obstacle; "" beside all bodies, or on the robot */
  select(obstacle: string): void;
  allowed(): boolean;
}

const slop = 5; // px that the mouse may move in a click

/** Listens for clicks until the returned function is called. A robot before an obstacle hides it. */
export function pickObstacles({ canvas, camera }: Scene, obstacles: Obstacles, robots: readonly THREE.Object3D[], actions: PickActions): () => void {
  let down = { x: 0, y: 0 };
  const press = (e: PointerEvent): void => void (down = { x: e.clientX, y: e.clientY });
  const release = (e: PointerEvent): void => {
    if (e.button !== 0 || Math.hypot(e.clientX - down.x, e.clientY - down.y) > slop || !actions.allowed()) return;
    const box = canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), camera);
    const [first] = ray.intersectObjects([obstacles.group, ...robots], true);
    const name = first === undefined ? "" : obstacles.nameOf(first.object);
    actions.select(obstacles.group.children.some((g) => g.name === name) ? name : "");
  };
  canvas.addEventListener("pointerdown", press, { capture: true });
  canvas.addEventListener("pointerup", release);
  return () => {
    canvas.removeEventListener("pointerdown", press, { capture: true });
    canvas.removeEventListener("pointerup", release);
  };
}
