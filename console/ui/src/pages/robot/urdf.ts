// The bodies of a URDF as 3-D objects: its visuals, or its collision shapes. A mesh that cannot be loaded is drawn as a box.

import * as THREE from "three";
import URDFLoader, { type URDFRobot } from "urdf-loader";
import { coarsen } from "./bodies";

/** Parses the visuals or the collision shapes of a URDF. A mesh that cannot be loaded is a box, and its path is added to missing. */
export async function parseShapes(text: string, base: string, shapes: "visual" | "collision", missing: string[]): Promise<URDFRobot> {
  const waiting: Promise<void>[] = [];
  const loader = new URDFLoader();
  loader.parseVisual = shapes === "visual";
  loader.parseCollision = shapes === "collision";
  loader.packages = (name) => name;
  loader.loadMeshCb = (path, manager, material, done) => {
    waiting.push(
      loadMesh(path, base, manager, material).then(
        (mesh) => done(mesh),
        () => {
          if (!missing.includes(path)) missing.push(path);
          done(placeholder());
        },
      ),
    );
  };
  const object = loader.parse(text);
  await Promise.all(waiting);
  object.traverse((o) => {
    if (!(o instanceof THREE.Mesh)) return;
    o.castShadow = o.receiveShadow = true;
    if (o.material instanceof THREE.MeshPhongMaterial) {
      const { color, map, opacity, transparent } = o.material;
      o.material = new THREE.MeshLambertMaterial({ color, map, opacity, transparent }); // the cheapest shaded material
    }
  });
  coarsen(object);
  return object;
}

async function loadMesh(path: string, base: string, manager: THREE.LoadingManager, material: THREE.Material): Promise<THREE.Object3D> {
  const kind = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  const url = new URL(path, base).href;
  switch (kind) {
    case "stl": {
      const { STLLoader } = await import("three/examples/jsm/loaders/STLLoader.js");
      return new THREE.Mesh(await new STLLoader(manager).loadAsync(url), material);
    }
    case "dae": {
      const { ColladaLoader } = await import("three/examples/jsm/loaders/ColladaLoader.js");
      const mesh = await new ColladaLoader(manager).loadAsync(url);
      if (mesh === null) throw new Error(`${path} contains no scene`);
      return mesh.scene;
    }
    case "obj": {
      const { OBJLoader } = await import("three/examples/jsm/loaders/OBJLoader.js");
      return new OBJLoader(manager).loadAsync(url);
    }
    default:
      throw new Error(`${path}: unsupported mesh format ${String(kind)}; use stl, dae or obj`);
  }
}

/** Returns a box that replaces a missing mesh. */
function placeholder(): THREE.Object3D {
  const geometry = new THREE.BoxGeometry(0.08, 0.08, 0.08);
  const box = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0xe0a83a, transparent: true, opacity: 0.6 }));
  box.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({ color: 0x945f00 })));
  return box;
}
