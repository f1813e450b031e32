// Drags a robot's bodies: the joint that carries the body follows the mouse. A finger first selects a joint with a tap; elsewhere it turns the view.

import * as THREE from "three";
import type { URDFJoint } from "urdf-loader";
import type { RobotModel } from "./model";
import type { Scene } from "./scene";

/** Callbacks of dragging. */
export interface DragActions {
  /** The joint under the mouse, or tapped; null if there is none. */
  hover(joint: string | null): void;
  /** Requests a joint position, in rad or m. */
  move(joint: string, position: number): void;
  /** Reports whether dragging is possible now. */
  allowed(): boolean;
}

const slop = 8; // px that a tapping finger may move

/** Listens on the scene's canvas until the returned function is called. */
export function dragJoints(scene: Scene, model: RobotModel, actions: DragActions): () => void {
  const { canvas, camera, controls } = scene;
  const ray = new THREE.Raycaster();
  let selected: URDFJoint | null = null; // by a tap
  let tap: { id: number; x: number; y: number } | null = null;
  const grabbed = { joint: null as URDFJoint | null, point: new THREE.Vector3(), distance: 0 };

  const aim = (e: PointerEvent): void => {
    const box = canvas.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), camera);
  };
  const hit = (): { joint: URDFJoint; point: THREE.Vector3; distance: number } | null => {
    const first = ray.intersectObject(model.object, true)[0];
    const joint = first === undefined ? null : model.jointOf(first.object);
    return first === undefined || joint === null ? null : { joint, point: first.point, distance: first.distance };
  };

  const down = (e: PointerEvent): void => {
    tap = null;
    if (e.button !== 0 || !e.isPrimary || !actions.allowed()) return;
    aim(e);
    const found = hit();
    if (e.pointerType === "touch" && (found === null || found.joint !== selected)) {
      tap = { id: e.pointerId, x: e.clientX, y: e.clientY };
      return;
    }
    if (found === null) return;
    Object.assign(grabbed, found);
    controls.enabled = false;
    canvas.setPointerCapture(e.pointerId);
    e.stopImmediatePropagation();
  };
  const move = (e: PointerEvent): void => {
    if (!e.isPrimary) return;
    if (tap !== null && Math.hypot(e.clientX - tap.x, e.clientY - tap.y) > slop) tap = null;
    if (e.buttons !== 0 && grabbed.joint === null) return; // the user rotates the view
    aim(e);
    const { joint } = grabbed;
    if (joint === null) {
      const over = actions.allowed() ? hit() : null;
      canvas.style.cursor = over === null ? "" : "grab";
      actions.hover(over?.joint.name ?? null);
      return;
    }
    canvas.style.cursor = "grabbing";
    const next = ray.ray.at(grabbed.distance, new THREE.Vector3());
    const delta = joint.jointType === "prismatic" ? slide(joint, grabbed.point, next) : turn(joint, grabbed.point, next, ray.ray);
    if (delta === 0) return;
    const { lower, upper } = joint.limit;
    const wanted = joint.angle + delta;
    const position = joint.jointType === "continuous" || !(upper > lower) ? wanted : Math.min(upper, Math.max(lower, wanted));
    actions.move(joint.name, position);
    grabbed.point.copy(next);
  };
  const up = (e?: PointerEvent): void => {
    if (tap !== null && e?.type === "pointerup" && e.pointerId === tap.id) {
      aim(e);
      selected = hit()?.joint ?? null;
      actions.hover(selected?.name ?? null);
    }
    tap = null;
    if (e?.isPrimary === false) return;
    grabbed.joint = null;
    controls.enabled = true;
    canvas.style.cursor = "";
  };

  canvas.addEventListener("pointerdown", down, { capture: true });
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  return () => {
    canvas.removeEventListener("pointerdown", down, { capture: true });
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("pointercancel", up);
    up();
  };
}

function axisOf(joint: URDFJoint): { axis: THREE.Vector3; pivot: THREE.Vector3 } {
  return { axis: joint.axis.clone().transformDirection(joint.matrixWorld).normalize(), pivot: new THREE.Vector3().setFromMatrixPosition(joint.matrixWorld) };
}

function slide(joint: URDFJoint, from: THREE.Vector3, to: THREE.Vector3): number {
  return to.clone().sub(from).dot(axisOf(joint).axis);
}

/** Returns the angle between two points about the joint: in the joint's plane if seen from above, along its tangent if seen from the side. */
function turn(joint: URDFJoint, from: THREE.Vector3, to: THREE.Vector3, ray: THREE.Ray): number {
  const { axis, pivot } = axisOf(joint);
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(axis, pivot);
  if (Math.abs(ray.direction.dot(axis)) > 0.3) {
    const a = plane.projectPoint(from, new THREE.Vector3()).sub(pivot);
    const b = plane.projectPoint(to, new THREE.Vector3()).sub(pivot);
    return Math.atan2(axis.dot(a.clone().cross(b)), a.dot(b));
  }
  const arm = plane.projectPoint(from, new THREE.Vector3()).sub(pivot);
  const tangent = axis.clone().cross(arm);
  const radius = tangent.length();
  return radius < 1e-6 ? 0 : to.clone().sub(from).dot(tangent) / (radius * radius);
}
