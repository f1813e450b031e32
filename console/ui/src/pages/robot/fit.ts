// Where a camera must be so that points fill the picture, and the outermost points of bodies.
import * as THREE from "three";

/**
 * Returns the place of the nearest camera that looks against the given direction and sees all points, with a margin: they touch it on both sides,
 * or above and below. z is up in the picture; fov is the vertical angle of view in degrees.
 */
export function fitCamera(points: readonly THREE.Vector3[], direction: THREE.Vector3, fov: number, aspect: number, margin = 0.06): THREE.Vector3 {
  const back = direction.clone().normalize();
  const right = new THREE.Vector3(0, 0, 1).cross(back).normalize();
  const up = back.clone().cross(right);
  const vertical = Math.tan((fov * Math.PI) / 360) * (1 - margin);
  // A point p is inside where |p·axis − place| ≤ tangent·(depth − p·back).
  const along = (axis: THREE.Vector3, tangent: number): { place: number; depth: number } => {
    let [least, most] = [-Infinity, -Infinity];
    for (const p of points) {
      const [x, z] = [p.dot(axis), tangent * p.dot(back)];
      [least, most] = [Math.max(least, z - x), Math.max(most, z + x)];
    }
    return { place: (most - least) / 2, depth: (most + least) / (2 * tangent) };
  };
  const [h, v] = [along(right, vertical * aspect), along(up, vertical)];
  return right.multiplyScalar(h.place).addScaledVector(up, v.place).addScaledVector(back, Math.max(h.depth, v.depth));
}

/** Returns the corners of a box. */
export function cornersOf({ min, max }: THREE.Box3): THREE.Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new THREE.Vector3(x, y, z))));
}

/** The directions from a cube's centre to its faces, edges and corners. */
const directions = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => new THREE.Vector3(x, y, z)))).filter((d) => d.lengthSq() > 0).map((d) => d.normalize());

/** The outermost of all points that were added, in 26 directions. */
export class Outline {
  private readonly outermost: { reach: number; point: THREE.Vector3 }[] = directions.map(() => ({ reach: -Infinity, point: new THREE.Vector3() }));

  /** The outermost points; some may be equal. */
  get points(): THREE.Vector3[] {
    return this.outermost.filter((o) => o.reach > -Infinity).map((o) => o.point);
  }

  add(p: THREE.Vector3): void {
    for (const [i, d] of directions.entries()) {
      const [o, reach] = [this.outermost[i], p.dot(d)];
      if (o !== undefined && reach > o.reach) [o.reach, o.point] = [reach, p.clone()];
    }
  }

  /** Reports whether a point is at most a margin outside. */
  holds(p: THREE.Vector3, margin: number): boolean {
    return directions.every((d, i) => p.dot(d) <= (this.outermost[i]?.reach ?? -Infinity) + margin);
  }
}

/** The outermost points of geometries that were asked for. */
const known = new WeakMap<THREE.BufferGeometry, THREE.Vector3[]>();

/** Returns the outermost points of an object and all that is in it, in world coordinates. The matrices of the world must be up to date. */
export function outlineOf(object: THREE.Object3D): Outline {
  const all = new Outline();
  object.traverse((o) => {
    if (o instanceof THREE.Mesh) for (const p of outermostOf(o.geometry as THREE.BufferGeometry)) all.add(p.clone().applyMatrix4(o.matrixWorld));
  });
  return all;
}

function outermostOf(geometry: THREE.BufferGeometry): THREE.Vector3[] {
  let points = known.get(geometry);
  if (points === undefined) {
    const [outline, position] = [new Outline(), geometry.getAttribute("position")];
    for (let i = 0; i < position.count; i++) outline.add(new THREE.Vector3().fromBufferAttribute(position, i));
    known.set(geometry, (points = outline.points));
  }
  return points;
}
