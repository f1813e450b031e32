// How far a camera must be from a box so that the box fills the picture.
import * as THREE from "three";

/**
 * Returns the least distance (m) of a camera from the centre of a box of the given size (m) from which all of the box is visible, with a
 * margin. direction points from the centre to the camera, z is up in the picture; fov is the vertical angle of view in degrees.
 */
export function fitDistance(size: THREE.Vector3, direction: THREE.Vector3, fov: number, aspect: number, margin = 0.06): number {
  const back = direction.clone().normalize();
  const right = new THREE.Vector3(0, 0, 1).cross(back).normalize();
  const up = back.clone().cross(right);
  const vertical = Math.tan((fov * Math.PI) / 360) * (1 - margin);
  let distance = 0;
  for (let k = 0; k < 8; k++) {
    const corner = new THREE.Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).multiply(size).multiplyScalar(0.5);
    const needed = Math.max(Math.abs(corner.dot(up)) / vertical, Math.abs(corner.dot(right)) / (vertical * aspect));
    distance = Math.max(distance, corner.dot(back) + needed);
  }
  return distance;
}
