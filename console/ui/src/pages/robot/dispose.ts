import * as THREE from "three";

/** Frees an object's GPU resources. */
export function dispose(object: THREE.Object3D): void {
  if (!(object instanceof THREE.Mesh || object instanceof THREE.Line)) return;
  const mesh = object as THREE.Mesh;
  mesh.geometry.dispose();
  for (const material of Array.isArray(mesh.material) ? mesh.material : [mesh.material]) material.dispose();
}
