import * as THREE from "three";
import { expect, test } from "vitest";
import type { URDFRobot } from "urdf-loader";
import { coarsen, mergeBodies, sides } from "./bodies";

/** A robot: a base with two bodies, a fixed joint to a third, and a joint that turns a fourth. */
function robot(): { robot: URDFRobot; turning: THREE.Object3D } {
  const mesh = (geometry: THREE.BufferGeometry, colour: number, x: number, scale: number): THREE.Mesh => {
    const m = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: colour }));
    m.position.x = x;
    m.scale.setScalar(scale);
    return m;
  };
  const joint = (kind: string, ...children: THREE.Object3D[]): THREE.Object3D => Object.assign(new THREE.Object3D(), { isURDFJoint: true, jointType: kind }).add(...children);
  const base = new THREE.Object3D();
  const turning = joint("revolute", mesh(new THREE.SphereGeometry(1, 30, 30), 0x0000ff, 2, 0.01), mesh(new THREE.BoxGeometry(), 0xffff00, 2, 0.1));
  base.add(mesh(new THREE.BoxGeometry(), 0xff0000, 0, 1), mesh(new THREE.BoxGeometry().toNonIndexed(), 0x00ff00, 1, 1));
  base.add(joint("fixed", mesh(new THREE.CylinderGeometry(1, 1, 1, 30), 0x00ffff, 3, 1)), turning);
  return { robot: base as URDFRobot, turning };
}

const meshesOf = (o: THREE.Object3D): THREE.Mesh[] => {
  const found: THREE.Mesh[] = [];
  o.traverse((x) => x instanceof THREE.Mesh && found.push(x));
  return found;
};

test("bodies that no joint separates become one mesh in the same place", () => {
  const { robot: r, turning } = robot();
  const before = new THREE.Box3().setFromObject(r);
  mergeBodies(r);
  expect(meshesOf(r)).toHaveLength(2);
  expect(meshesOf(turning)).toHaveLength(1);
  const after = new THREE.Box3().setFromObject(r);
  expect(after.min.distanceTo(before.min)).toBeLessThan(1e-6);
  expect(after.max.distanceTo(before.max)).toBeLessThan(1e-6);
});

test("a merged mesh keeps the colours of its parts, and moves with its joint", () => {
  const { robot: r, turning } = robot();
  mergeBodies(r);
  const colours = meshesOf(turning)[0]?.geometry.getAttribute("color");
  expect([colours?.getX(0), colours?.getY(0), colours?.getZ(0)]).toEqual([0, 0, 1]);
  const last = (colours?.count ?? 0) - 1;
  expect([colours?.getX(last), colours?.getY(last), colours?.getZ(last)]).toEqual([1, 1, 0]);
  turning.position.z = 5;
  r.updateMatrixWorld(true);
  expect(new THREE.Box3().setFromObject(r).max.z).toBeCloseTo(5.05);
});

test("textured, transparent and mirrored bodies are not merged", () => {
  const { robot: r } = robot();
  const [a, b] = meshesOf(r);
  if (a) (a.material as THREE.Material).transparent = true;
  b?.scale.setX(-1);
  mergeBodies(r);
  expect(meshesOf(r)).toHaveLength(4); // those two, the cylinder, and the merged pair behind the joint
});

test("small round bodies have fewer sides than large ones", () => {
  expect(sides(2)).toBe(12);
  expect(sides(60)).toBeGreaterThan(20);
  expect(sides(5000)).toBe(30);
  const { robot: r, turning } = robot();
  coarsen(r);
  expect(meshesOf(turning)[0]?.geometry.getAttribute("position").count).toBeLessThan(120);
});

test("a body is split into its parts where they were, and merged again", () => {
  const { robot: r } = robot();
  const bodies = mergeBodies(r);
  for (const b of bodies) b.split(true);
  expect(meshesOf(r)).toHaveLength(5);
  r.updateMatrixWorld(true);
  expect(new THREE.Box3().setFromObject(r).max.x).toBeCloseTo(4, 1); // a polygon stands for the circle
  for (const b of bodies) b.split(false);
  expect(meshesOf(r)).toHaveLength(2);
});
