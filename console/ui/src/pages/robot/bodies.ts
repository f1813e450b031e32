// Makes a robot's bodies cheap to draw: round shapes as fine as they are large, and one mesh for all that moves together.

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { URDFJoint, URDFRobot } from "urdf-loader";

const pictureSize = 900; // px that a whole robot takes in a large window
const error = 0.4; // px between a circle and the polygon drawn for it
const [fewest, most] = [12, 30]; // sides of such a polygon; the URDF loader makes 30

/** Reduces the polygons of the robot's spheres and cylinders to what can be seen in a picture of the whole robot. */
export function coarsen(robot: URDFRobot): void {
  robot.updateMatrixWorld(true);
  const size = new THREE.Box3().setFromObject(robot).getSize(new THREE.Vector3()).length();
  const made = new Map<string, THREE.BufferGeometry>();
  const share = (kind: string, sides: number, make: () => THREE.BufferGeometry): THREE.BufferGeometry => {
    const key = `${kind} ${sides}`;
    const geometry = made.get(key) ?? make();
    made.set(key, geometry);
    return geometry;
  };
  robot.traverse((o) => {
    if (!(o instanceof THREE.Mesh)) return;
    const radius = Math.max(Math.abs(o.scale.x), Math.abs(o.scale.z));
    const n = sides((radius / size) * pictureSize);
    if (o.geometry instanceof THREE.SphereGeometry) o.geometry = share("sphere", n, () => new THREE.SphereGeometry(1, n, Math.ceil(n / 2)));
    else if (o.geometry instanceof THREE.CylinderGeometry) o.geometry = share("cylinder", n, () => new THREE.CylinderGeometry(1, 1, 1, n));
  });
}

/** Returns the sides of a polygon that differs from a circle of a radius, in px, by at most `error`. */
export function sides(radius: number): number {
  const n = radius <= error ? fewest : Math.PI / Math.acos(1 - error / radius);
  return Math.min(most, Math.max(fewest, 2 * Math.ceil(n / 2)));
}

type Part = THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;

/** One mesh in place of several that move together. */
export class Body {
  private apart = true;

  constructor(
    private readonly frame: THREE.Object3D,
    private readonly whole: THREE.Mesh,
    readonly parts: readonly { mesh: Part; parent: THREE.Object3D }[],
  ) {
    this.split(false);
  }

  /** Draws the parts alone, so that they can be moved, or the whole. */
  split(on: boolean): void {
    if (on === this.apart) return;
    this.apart = on;
    for (const { mesh, parent } of this.parts) {
      if (on) parent.add(mesh);
      else mesh.removeFromParent();
    }
    if (on) this.whole.removeFromParent();
    else this.frame.add(this.whole);
  }
}

/** Merges the opaque bodies that no joint separates into one mesh each, with the colours of its parts. Meshes with textures stay alone. */
export function mergeBodies(robot: URDFRobot): Body[] {
  robot.updateMatrixWorld(true);
  const frames: THREE.Object3D[] = [];
  robot.traverse((o) => {
    if (o === robot || turns(o)) frames.push(o);
  });
  return frames.flatMap((frame) => mergeBelow(frame) ?? []);
}

function mergeBelow(frame: THREE.Object3D): Body | null {
  const parts: Part[] = [];
  const collect = (o: THREE.Object3D): void => {
    if (mergeable(o)) parts.push(o);
    for (const child of o.children) if (!turns(child)) collect(child);
  };
  collect(frame);
  if (parts.length < 2) return null;
  const toFrame = frame.matrixWorld.clone().invert();
  const geometry = mergeGeometries(parts.map((part) => coloured(part, toFrame)));
  const body = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true }));
  body.castShadow = body.receiveShadow = true;
  return new Body(frame, body, parts.map((mesh) => ({ mesh, parent: mesh.parent ?? frame })));
}

/** Returns the geometry of a part in its frame, with its colour at each vertex. */
function coloured(part: Part, toFrame: THREE.Matrix4): THREE.BufferGeometry {
  const copy = part.geometry.clone();
  if (!copy.hasAttribute("normal")) copy.computeVertexNormals();
  for (const name of Object.keys(copy.attributes)) if (name !== "position" && name !== "normal") copy.deleteAttribute(name);
  copy.clearGroups();
  copy.morphAttributes = {};
  const count = copy.getAttribute("position").count;
  if (copy.index === null) copy.setIndex(Array.from({ length: count }, (_, i) => i));
  const { r, g, b } = part.material.color;
  copy.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).map((_, i) => [r, g, b][i % 3] ?? 0), 3));
  return copy.applyMatrix4(new THREE.Matrix4().multiplyMatrices(toFrame, part.matrixWorld));
}

function mergeable(o: THREE.Object3D): o is Part {
  if (!(o instanceof THREE.Mesh) || o instanceof THREE.SkinnedMesh || o.children.length > 0 || !(o.material instanceof THREE.MeshLambertMaterial)) return false;
  const { map, transparent, vertexColors } = o.material;
  return map === null && !transparent && !vertexColors && o.matrixWorld.determinant() > 0; // mirrored triangles would face inwards
}

/** Reports whether an object moves in its parent's frame. */
function turns(o: THREE.Object3D): boolean {
  const joint = o as Partial<URDFJoint>;
  return joint.isURDFJoint === true && joint.jointType !== "fixed";
}
