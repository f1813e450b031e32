import * as THREE from "three";
import { expect, test } from "vitest";
import { cornersOf, fitCamera, Outline, outlineOf } from "./fit";

/** Returns the part of the picture that points take: its left, right, lower and upper end, of −1 to 1. */
function taken(points: THREE.Vector3[], direction: THREE.Vector3, aspect: number): [number, number, number, number] {
  const camera = new THREE.PerspectiveCamera(38, aspect, 0.01, 100);
  camera.up.set(0, 0, 1);
  camera.position.copy(fitCamera(points, direction, 38, aspect));
  camera.lookAt(camera.position.clone().sub(direction));
  camera.updateMatrixWorld();
  const seen = points.map((p) => p.clone().project(camera));
  const [x, y] = [seen.map((p) => p.x), seen.map((p) => p.y)];
  return [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
}

const bodies: [string, THREE.Vector3[]][] = [
  ["a tall box", cornersOf(new THREE.Box3(new THREE.Vector3(-0.2, -0.2, 0), new THREE.Vector3(0.2, 0.2, 1.8)))],
  ["a flat box", cornersOf(new THREE.Box3(new THREE.Vector3(-1, -0.5, 0), new THREE.Vector3(1, 0.5, 0.3)))],
  ["an arm to one side", [new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, 0, 1), new THREE.Vector3(1.5, 0, 1)]],
];

test.each(bodies.flatMap(([name, points]) => [1.6, 0.5, 3].map((aspect) => [name, aspect, points] as const)))("%s fills a picture of aspect %d from edge to edge", (_, aspect, points) => {
  for (const direction of [new THREE.Vector3(1.1, -1.5, 0.8), new THREE.Vector3(1, 0, 0.001), new THREE.Vector3(0, -0.001, 1)]) {
    const [left, right, low, high] = taken(points, direction, aspect);
    expect(Math.max(right, high)).toBeCloseTo(0.94, 6);
    expect(-Math.min(left, low)).toBeCloseTo(0.94, 6);
    const ends = right > high - 1e-9 ? [left, right] : [low, high];
    expect(ends).toEqual([expect.closeTo(-0.94, 6), expect.closeTo(0.94, 6)]); // touched on both sides
  }
});

test("the outline of bodies has their outermost points in the world", () => {
  const ball = new THREE.Mesh(new THREE.SphereGeometry(0.5, 16, 8));
  const all = new THREE.Group().add(ball);
  all.position.set(2, 0, 0);
  ball.position.set(0, 0, 1);
  all.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromPoints(outlineOf(all).points);
  const whole = new THREE.Box3().setFromObject(all, true);
  for (const end of ["min", "max"] as const) for (const axis of ["x", "y", "z"] as const) expect(box[end][axis]).toBeCloseTo(whole[end][axis], 9);
});

test("an outline holds what is inside, and what is outside by less than the margin", () => {
  const outline = new Outline();
  for (const p of cornersOf(new THREE.Box3(new THREE.Vector3(0, 0, 0), new THREE.Vector3(1, 1, 1)))) outline.add(p);
  expect(outline.holds(new THREE.Vector3(0.5, 0.5, 0.5), 0)).toBe(true);
  expect(outline.holds(new THREE.Vector3(1.1, 0.5, 0.5), 0.05)).toBe(false);
  expect(outline.holds(new THREE.Vector3(1.1, 0.5, 0.5), 0.2)).toBe(true);
});
