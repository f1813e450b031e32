import * as THREE from "three";
import { beforeEach, expect, test } from "vitest";
import type { URDFRobot } from "urdf-loader";
import { colliderOf, Colliders, isRevealed, nextShapes, type Shapes } from "./colliders";

/** Returns a robot with one link, and the same with collision shapes: a box and a ball. */
function robots(): [URDFRobot, URDFRobot] {
  const make = (...shapes: THREE.Object3D[]): URDFRobot => {
    const link = Object.assign(new THREE.Object3D(), { isURDFLink: true, name: "hand" }).add(...shapes);
    return Object.assign(new THREE.Object3D().add(link), { links: { hand: link }, joints: {} }) as unknown as URDFRobot;
  };
  const collider = (geometry: THREE.BufferGeometry): THREE.Object3D => Object.assign(new THREE.Object3D(), { isURDFCollider: true }).add(new THREE.Mesh(geometry));
  return [make(new THREE.Mesh(new THREE.BoxGeometry())), make(collider(new THREE.BoxGeometry()), collider(new THREE.SphereGeometry()))];
}

let robot: URDFRobot;
let colliders: Colliders;

beforeEach(() => {
  const [own, from] = robots();
  robot = own;
  colliders = new Colliders(own, from);
});

const shapesOf = (): THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>[] => {
  const all: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>[] = [];
  robot.traverse((o) => void (o instanceof THREE.Mesh && colliderOf(o) !== null && all.push(o as never)));
  return all;
};

test("collision shapes hang on the links of the robot, and keep materials of their own", () => {
  const shapes = shapesOf();
  expect(shapes).toHaveLength(2);
  expect(shapes.every((m) => colliderOf(m)?.parent === robot.links["hand"])).toBe(true);
  expect(shapes[0]?.material).not.toBe(shapes[1]?.material);
});

test("a hidden shape is seen by neither camera nor mouse; over visuals it is translucent", () => {
  const ray = new THREE.Raycaster(new THREE.Vector3(0, 0, 5), new THREE.Vector3(0, 0, -1));
  const camera = new THREE.PerspectiveCamera();
  const hits = (): boolean => ray.intersectObject(robot).some((h) => colliderOf(h.object) !== null);
  for (const [choice, seen, translucent] of [["visual", false, false], ["collision", true, false], ["both", true, true]] as [Shapes, boolean, boolean][]) {
    colliders.show(choice);
    const shapes = shapesOf();
    expect([choice, hits(), ...shapes.map((m) => [isRevealed(m), m.layers.test(camera.layers)])]).toEqual([choice, seen, [seen, seen], [seen, seen]]);
    if (seen) expect(shapes.map((m) => m.material.transparent)).toEqual([translucent, translucent]);
  }
});

test("a box has its edges drawn, a ball none", () => {
  expect(shapesOf().map((m) => m.children.length)).toEqual([1, 0]);
});

test("a key walks through the choices", () => {
  expect([nextShapes("visual"), nextShapes("collision"), nextShapes("both")]).toEqual(["collision", "both", "visual"]);
});
