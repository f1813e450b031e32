// The collision shapes of a robot, beside its visuals: loaded when they are first drawn, in a colour of their own and with their edges.

import * as THREE from "three";
import type { URDFCollider, URDFRobot } from "urdf-loader";

/** Which shapes of a robot are drawn. */
export type Shapes = "visual" | "collision" | "both";

/** Label of each choice, in the order in which a key walks through them. */
export const shapeChoices: { name: Shapes; text: string }[] = [
  { name: "visual", text: "Visual shapes" },
  { name: "collision", text: "Collision shapes" },
  { name: "both", text: "Both shapes" },
];

/** The same for a robot with simplified shapes. */
export const simplifiedChoices: { name: Shapes; text: string }[] = [
  { name: "visual", text: "Source shapes" },
  { name: "collision", text: "Simplified shapes" },
  { name: "both", text: "Both shapes" },
];

/** Returns the choice after another. */
export function nextShapes(shapes: Shapes): Shapes {
  const at = shapeChoices.findIndex((c) => c.name === shapes);
  return shapeChoices[(at + 1) % shapeChoices.length]?.name ?? "visual";
}

export const colliderColour = 0x1f9d8a;

const opacity = 0.4; // over visuals
const crease = 25; // degrees between the triangles of an edge that is drawn

/** Draws an object, or hides it from camera and mouse. */
export function reveal(o: THREE.Object3D, on: boolean): void {
  if (on) o.layers.enable(0);
  else o.layers.disable(0);
}

/** Reports whether an object is not hidden. */
export const isRevealed = (o: THREE.Object3D): boolean => o.layers.isEnabled(0);

/** Returns the collision shape that an object is part of; null for a visual. */
export function colliderOf(o: THREE.Object3D): URDFCollider | null {
  for (let at: THREE.Object3D | null = o; at !== null; at = at.parent) if ((at as Partial<URDFCollider>).isURDFCollider === true) return at as URDFCollider;
  return null;
}

/** The collision shapes of a robot. */
export class Colliders {
  private readonly materials: THREE.MeshLambertMaterial[] = []; // one of each mesh, so that it can be lit alone
  private readonly lines = new THREE.LineBasicMaterial({ color: new THREE.Color(colliderColour).multiplyScalar(0.6) });
  private readonly shapes: URDFCollider[] = [];

  /** Takes the collision shapes of `from`, a robot of the same description, to the links of `robot`. */
  constructor(robot: URDFRobot, from: URDFRobot) {
    for (const [name, link] of Object.entries(from.links)) {
      for (const shape of link.children.filter((c) => (c as Partial<URDFCollider>).isURDFCollider) as URDFCollider[]) {
        robot.links[name]?.add(shape);
        this.shapes.push(shape);
        this.paint(shape);
      }
    }
    robot.updateMatrixWorld(true);
  }

  /** Draws the shapes: alone, over the visuals, or not. */
  show(shapes: Shapes): void {
    const over = shapes === "both";
    for (const material of this.materials) Object.assign(material, { transparent: over, opacity: over ? opacity : 1, depthWrite: !over, needsUpdate: true });
    for (const shape of this.shapes) shape.traverse((o) => reveal(o, shapes !== "visual"));
  }

  private paint(shape: URDFCollider): void {
    const meshes: THREE.Mesh[] = [];
    shape.traverse((o) => void (o instanceof THREE.Mesh && meshes.push(o as THREE.Mesh)));
    for (const mesh of meshes) {
      const material = new THREE.MeshLambertMaterial({ color: colliderColour, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
      mesh.material = material;
      this.materials.push(material);
      if (mesh.geometry instanceof THREE.SphereGeometry) continue; // has no edges
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(mesh.geometry, crease), this.lines);
      edges.raycast = () => undefined;
      mesh.add(edges);
    }
  }
}
