import * as THREE from "three";
import { expect, test } from "vitest";
import { fitDistance } from "./fit";

/** Returns how much of the picture a box takes, horizontally and vertically; 1 is all of it. */
function share(size: THREE.Vector3, direction: THREE.Vector3, aspect: number): [number, number] {
  const camera = new THREE.PerspectiveCamera(38, aspect, 0.01, 100);
  camera.up.set(0, 0, 1);
  camera.position.copy(direction.clone().normalize().multiplyScalar(fitDistance(size, direction, 38, aspect)));
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  let [x, y] = [0, 0];
  for (let k = 0; k < 8; k++) {
    const corner = new THREE.Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).multiply(size).multiplyScalar(0.5).project(camera);
    [x, y] = [Math.max(x, Math.abs(corner.x)), Math.max(y, Math.abs(corner.y))];
  }
  return [x, y];
}

test.each([[1.6], [0.5], [3]])("a box fills a picture of aspect %d and stays inside", (aspect) => {
  for (const size of [new THREE.Vector3(0.4, 0.4, 1.8), new THREE.Vector3(2, 1, 0.3)]) {
    for (const direction of [new THREE.Vector3(1.1, -1.5, 0.8), new THREE.Vector3(1, 0, 0.001), new THREE.Vector3(0, -0.001, 1)]) {
      const larger = Math.max(...share(size, direction, aspect));
      expect(larger).toBeCloseTo(0.94, 6);
    }
  }
});
