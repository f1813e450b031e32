// Pushes a link of a simulated robot with the mouse: an arrow from the link to the pointer is the force.

import * as THREE from "three";
import type { RobotModel } from "./model";
import type { Scene } from "./scene";

export const pushColour = 0x8e4ec6;

/** Callbacks of pushing. */
export interface PushActions {
  /** Requests a force in N, in world axes; null ends it. */
  push(force: [number, number, number] | null): void;
  /** Reports whether pushing is switched on. */
  allowed(): boolean;
  /** Force of an arrow of 1 m, in N. */
  newtons(): number;
}

/** Listens on the scene's canvas until the returned function is called. */
export function pushLink(scene: Scene, model: RobotModel, link: string, actions: PushActions): () => void {
  const { canvas, camera, controls } = scene;
  const ray = new THREE.Raycaster();
  const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, pushColour);
  for (const part of [arrow.line, arrow.cone]) {
    const material = part.material as THREE.Material;
    material.depthTest = false;
    part.renderOrder = 4;
  }
  arrow.visible = false;
  scene.scene.add(arrow);
  let pushing = false;
  let target = new THREE.Vector3();

  const draw = (): THREE.Vector3 => {
    const origin = model.pose(link)?.position ?? new THREE.Vector3();
    const vector = target.clone().sub(origin);
    const length = vector.length();
    arrow.visible = pushing && length > 1e-3;
    if (arrow.visible) {
      arrow.position.copy(origin);
      arrow.setDirection(vector.clone().normalize());
      arrow.setLength(length, Math.min(0.4 * length, 0.05 * scene.size), 0.025 * scene.size);
    }
    return vector;
  };
  const aim = (e: PointerEvent): void => {
    const box = canvas.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), camera);
    const origin = model.pose(link)?.position ?? new THREE.Vector3();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), origin);
    target = ray.ray.intersectPlane(plane, new THREE.Vector3()) ?? origin;
    actions.push(draw().multiplyScalar(actions.newtons()).toArray());
    scene.invalidate();
  };
  const down = (e: PointerEvent): void => {
    if (e.button !== 0 || !actions.allowed()) return;
    e.stopImmediatePropagation();
    if (!e.isPrimary) return;
    pushing = true;
    controls.enabled = false;
    canvas.setPointerCapture(e.pointerId);
    aim(e);
  };
  const move = (e: PointerEvent): void => {
    if (!pushing) return;
    e.stopImmediatePropagation();
    if (e.isPrimary) aim(e);
  };
  const end = (e?: Event): void => {
    if (!pushing || (e instanceof PointerEvent && !e.isPrimary)) return;
    pushing = false;
    controls.enabled = true;
    draw();
    actions.push(null);
    scene.invalidate();
  };
  const before = (): void => {
    if (pushing) draw();
  };
  scene.beforeDrawing(before);
  canvas.addEventListener("pointerdown", down, { capture: true });
  canvas.addEventListener("pointermove", move, { capture: true });
  canvas.addEventListener("pointerup", end, { capture: true });
  canvas.addEventListener("pointercancel", end, { capture: true });
  addEventListener("blur", end);
  return () => {
    end();
    canvas.removeEventListener("pointerdown", down, { capture: true });
    canvas.removeEventListener("pointermove", move, { capture: true });
    canvas.removeEventListener("pointerup", end, { capture: true });
    canvas.removeEventListener("pointercancel", end, { capture: true });
    removeEventListener("blur", end);
    arrow.dispose();
  };
}
