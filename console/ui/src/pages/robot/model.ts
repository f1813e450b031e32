// A robot from a URDF: its links as 3-D bodies that follow the positions of its joints. A mesh that cannot be had is a box.

import * as THREE from "three";
import URDFLoader, { type URDFJoint, type URDFLink, type URDFRobot } from "urdf-loader";

/** A joint that moves. */
export interface JointInfo {
  name: string;
  /** rad, or m where it slides */
  lower: number;
  upper: number;
  slides: boolean;
  /** greatest speed, rad/s or m/s; 1 where nothing is said */
  speed: number;
  /** It has no limits: it turns on and on. */
  endless: boolean;
}

export class RobotModel {
  readonly joints: JointInfo[];
  readonly links: string[];
  /** Meshes that a box stands for. */
  readonly missing: string[];

  private constructor(
    readonly object: URDFRobot,
    missing: string[],
  ) {
    this.missing = missing;
    this.joints = Object.values(object.joints).filter(moves).map(describe);
    this.links = Object.keys(object.links);
  }

  /** Loads a URDF and all its meshes; fails where the URDF itself cannot be had or read. */
  static async load(url: string): Promise<RobotModel> {
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`the robot's description ${url}: ${answer.status} ${answer.statusText}`);
    return RobotModel.parse(await answer.text(), new URL(url, location.href).href);
  }

  /** Reads a URDF; addresses of meshes are relative to base, those of packages are folders beside it. */
  static async parse(text: string, base: string): Promise<RobotModel> {
    if (!/<robot[\s>]/.test(text)) throw new Error("the robot's description is no URDF: it has no element <robot>");
    const missing: string[] = [];
    const waiting: Promise<void>[] = [];
    const loader = new URDFLoader();
    loader.packages = (name) => name;
    loader.loadMeshCb = (path, manager, material, done) => {
      waiting.push(
        loadMesh(path, base, manager, material).then(
          (mesh) => done(mesh),
          () => {
            missing.push(path);
            done(standIn());
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
        o.material = new THREE.MeshLambertMaterial({ color, map, opacity, transparent }); // the cheapest that has light and shade
      }
    });
    return new RobotModel(object, missing);
  }

  /** Moves joints to positions: by name, in rad or m. What is no number leaves its joint where it is. */
  move(q: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(q)) {
      const joint = this.object.joints[name];
      if (joint === undefined || !Number.isFinite(value)) continue;
      joint.ignoreLimits = true; // shown is what the system says, be it beyond a limit
      joint.setJointValue(value);
    }
    this.object.updateMatrixWorld(true);
  }

  /** Positions of all moving joints. */
  get positions(): Record<string, number> {
    return Object.fromEntries(this.joints.map(({ name }) => [name, this.object.joints[name]?.angle ?? 0]));
  }

  /** Pose of a link in the world. */
  pose(link: string): { position: THREE.Vector3; quaternion: THREE.Quaternion } | null {
    const object = this.object.links[link];
    if (object === undefined) return null;
    object.updateWorldMatrix(true, false);
    const [position, quaternion] = [new THREE.Vector3(), new THREE.Quaternion()];
    object.matrixWorld.decompose(position, quaternion, new THREE.Vector3());
    return { position, quaternion };
  }

  /** The link at the end of the longest chain of joints: most likely the tool. */
  get tool(): string {
    const depth = (name: string): number => {
      const { moving, all } = this.chain(name);
      return moving * 1000 + all;
    };
    return this.links.reduce((best, name) => (depth(name) > depth(best) ? name : best), this.links[0] ?? "");
  }

  /** How many joints carry a link: all, and those that move. */
  chain(link: string): { all: number; moving: number } {
    const count = { all: 0, moving: 0 };
    for (let at: THREE.Object3D | null = this.object.links[link] ?? null; at !== null; at = at.parent) {
      if (!isJoint(at)) continue;
      count.all++;
      if (moves(at)) count.moving++;
    }
    return count;
  }

  /** How far a link's frame is from the nearest one before or behind it that is elsewhere, in m; Infinity where there is none. */
  spacing(link: string): number {
    const object = this.object.links[link];
    let [least, before] = [Infinity, object?.parent ?? null];
    const measure = (other: THREE.Object3D): void => {
      const distance = object?.getWorldPosition(new THREE.Vector3()).distanceTo(other.getWorldPosition(new THREE.Vector3())) ?? 0;
      if (distance > 1e-4) least = Math.min(least, distance);
    };
    while (before !== null && (before as Partial<URDFLink>).isURDFLink !== true) before = before.parent;
    if (before !== null) measure(before);
    object?.traverse((o) => {
      if ((o as Partial<URDFLink>).isURDFLink && o !== object) measure(o);
    });
    return least;
  }

  /** What the robot fills. */
  box(): THREE.Box3 {
    return new THREE.Box3().setFromObject(this.object);
  }

  /** The moving joint that carries an object of the robot; null at its base. */
  jointOf(object: THREE.Object3D): URDFJoint | null {
    for (let at: THREE.Object3D | null = object; at !== null; at = at.parent) if (isJoint(at) && moves(at)) return at;
    return null;
  }

  /** Gives all bodies one material: for ghosts. */
  paint(material: THREE.Material): void {
    this.object.traverse((o) => {
      if (!(o instanceof THREE.Mesh)) return;
      o.material = material;
      o.castShadow = o.receiveShadow = false;
      o.raycast = () => undefined;
    });
  }
}

export function isJoint(o: THREE.Object3D): o is URDFJoint {
  return (o as Partial<URDFJoint>).isURDFJoint === true;
}

/** Whether a joint moves by itself: it is neither fixed nor a mimic of another. */
function moves(joint: URDFJoint): boolean {
  return ["revolute", "continuous", "prismatic"].includes(joint.jointType) && joint.urdfNode?.querySelector(":scope > mimic") == null;
}

function describe(joint: URDFJoint): JointInfo {
  const endless = joint.jointType === "continuous" || !(joint.limit.upper > joint.limit.lower);
  const { lower, upper } = endless ? { lower: -Math.PI, upper: Math.PI } : joint.limit;
  const speed = Number(joint.urdfNode?.querySelector(":scope > limit")?.getAttribute("velocity") ?? 0);
  return { name: joint.name, lower, upper, slides: joint.jointType === "prismatic", speed: speed > 0 ? speed : 1, endless };
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
      if (mesh === null) throw new Error(`${path} holds no scene`);
      return mesh.scene;
    }
    case "obj": {
      const { OBJLoader } = await import("three/examples/jsm/loaders/OBJLoader.js");
      return new OBJLoader(manager).loadAsync(url);
    }
    default:
      throw new Error(`meshes of the kind ${String(kind)} are not read`);
  }
}

/** Stands for a mesh that is missing. */
function standIn(): THREE.Object3D {
  const geometry = new THREE.BoxGeometry(0.08, 0.08, 0.08);
  const box = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0xe0a83a, transparent: true, opacity: 0.6 }));
  box.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({ color: 0x945f00 })));
  return box;
}
