import * as THREE from "three";
import type { URDFRobot } from "urdf-loader";
import { expect, test } from "vitest";
import { MassMark } from "./marks";

/** Returns the mark of a robot of one link of 2 kg at a place, and of a size in m. */
function markAt(at: [number, number, number], size: number): MassMark {
  const link = Object.assign(new THREE.Object3D(), { inertial: { mass: 2, origin: { xyz: [0, 0, 0] } } });
  link.position.set(...at);
  link.updateMatrixWorld(true);
  return new MassMark({ object: { links: { link } } as unknown as URDFRobot }, size);
}

test("the ring below the centre of mass must be in the picture", () => {
  const mark = markAt([0.3, -0.1, 0.8], 1);
  mark.update();
  const ring = mark.group.children.find((c) => c instanceof THREE.Mesh && c.geometry instanceof THREE.RingGeometry);
  const drawn = new THREE.Box3().setFromObject(ring ?? new THREE.Object3D());
  const corners = new THREE.Box3().setFromPoints(mark.corners).expandByVector(new THREE.Vector3(1e-6, 1e-6, 2e-3));
  expect(drawn.isEmpty()).toBe(false);
  expect(corners.containsBox(drawn)).toBe(true);
});

test("a hidden mark, and that of a robot high above the floor, leave the picture to the robot", () => {
  const hidden = markAt([0, 0, 0.8], 1);
  hidden.group.visible = false;
  expect(hidden.corners).toEqual([]);
  expect(markAt([0, 0, 2.1], 1).corners).toEqual([]);
  expect(markAt([0, 0, 1.9], 1).corners).toHaveLength(4);
});
