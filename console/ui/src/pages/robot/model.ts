// A robot from a URDF as 3-D bodies that follow its joint positions. A mesh that cannot be loaded is drawn as a box.

import * as THREE from "three";
import { limbsOf, type Limb } from "./limbs";
import type { URDFJoint, URDFLink, URDFRobot, URDFVisual } from "urdf-loader";
import { outlineOf, type Outline } from "./fit";
import { mergeBodies, type Body } from "./bodies";
import { colliderOf, Colliders, reveal, type Shapes } from "./colliders";
import type { Placed } from "./shown";
import { parseShapes } from "./urdf";

/** A movable joint. */
export interface JointInfo {
  name: string;
  /** rad, or m for a prismatic joint */
  lower: number;
  upper: number;
  slides: boolean;
  /** maximum speed, rad/s or m/s; 1 if the URDF has none */
  speed: number;
  /** whether it has no limits */
  endless: boolean;
  /** maximum torque in N m, or force in N; 0 if the URDF has none */
  effort: number;
  /** the movable joint that carries it; null at the base */
  parent: string | null;
}

export class RobotModel {
  /** The movable joints, limb by limb. */
  readonly joints: JointInfo[];
  readonly limbs: Limb[];
  readonly links: string[];
  /** bodies in a frame of their own, with the one of the description */
  private readonly moved = new Map<THREE.Object3D, THREE.Matrix4>();
  private readonly own = new Map<THREE.Mesh, THREE.Material | THREE.Material[]>();
  /** joints of several coordinates, with their place at zero */
  private readonly loose: { joint: URDFJoint; origin: THREE.Matrix4 }[];
  private readonly visuals: readonly THREE.Object3D[];
  private colliders: Promise<Colliders> | null = null;
  private shapes: Shapes = "visual";
  private dressed: THREE.Material | null = null;
  private ignored = false; // by the mouse

  private constructor(
    readonly object: URDFRobot,
    readonly missing: string[],
    private readonly bodies: readonly Body[],
    private readonly loadColliders: () => Promise<URDFRobot>,
  ) {
    this.visuals = meshesOf(object);
    this.loose = Object.values(object.joints).filter(floats).map((joint) => ({ joint, origin: new THREE.Matrix4().compose(joint.position, joint.quaternion, new THREE.Vector3(1, 1, 1)) }));
    const joints = Object.values(object.joints).filter(moves).map(describe);
    this.limbs = limbsOf(joints);
    this.joints = this.limbs.flatMap((l) => l.joints.flatMap((name) => joints.find((j) => j.name === name) ?? []));
    this.links = Object.keys(object.links);
  }

  /** Loads a URDF and its meshes; rejects if the URDF cannot be loaded or parsed. */
  static async load(url: string): Promise<RobotModel> {
    const answer = await fetch(THREE.DefaultLoadingManager.resolveURL(url), { credentials: "same-origin" }); // a shared page has it inside
    if (!answer.ok) throw new Error(`load the robot description ${url}: ${answer.status} ${answer.statusText}`);
    return RobotModel.parse(await answer.text(), new URL(url, location.href).href);
  }

  /** Parses a URDF. Mesh addresses are relative to base; packages are folders beside it. */
  static async parse(text: string, base: string): Promise<RobotModel> {
    if (!/<robot[\s>]/.test(text)) throw new Error("the robot description is not a URDF: it has no element <robot>");
    const missing: string[] = [];
    const object = await parseShapes(text, base, "visual", missing);
    return new RobotModel(object, missing, mergeBodies(object), () => parseShapes(text, base, "collision", missing));
  }

  /** Draws visuals, collision shapes or both. The latter are loaded when they are first drawn; until then the picture stays. */
  async show(shapes: Shapes): Promise<void> {
    this.shapes = shapes;
    if (shapes === "visual" && this.colliders === null) return;
    this.colliders ??= this.loadColliders().then((from) => new Colliders(this.object, from));
    const colliders = await this.colliders;
    colliders.show(this.shapes);
    for (const mesh of [...this.visuals, ...this.bodies.flatMap((b) => b.parts.map((p) => p.mesh))]) mesh.traverse((o) => reveal(o, this.shapes !== "collision"));
    this.dress(this.dressed);
    if (this.ignored) this.ignoreMouse();
  }

  /**
   * Sets joint positions by name, in rad or m. NaN leaves a joint unchanged. A joint that floats has the position NAME.px, .py, .pz and the
   * quaternion NAME.x, .y, .z, .w; one in a plane NAME.px, .py and .turn.
   */
  move(q: Readonly<Record<string, number>>): void {
    for (const { joint, origin } of this.loose) {
      const [px = NaN, py = NaN, pz = NaN, x, y, z, w, turn = NaN] = ["px", "py", "pz", "x", "y", "z", "w", "turn"].map((v) => q[`${joint.name}.${v}`]);
      const [at, way] = [new THREE.Vector3(px, py, pz), new THREE.Quaternion(x, y, z, w)];
      if (joint.jointType === "planar") {
        const plane = joint.axis.z < -1 + 1e-9 ? new THREE.Quaternion(1, 0, 0, 0) : new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), joint.axis);
        at.set(px, py, 0).applyQuaternion(plane);
        way.setFromAxisAngle(joint.axis, turn);
      }
      if (!Number.isFinite(at.lengthSq() + way.lengthSq())) continue;
      origin.clone().multiply(new THREE.Matrix4().compose(at, way.normalize(), new THREE.Vector3(1, 1, 1))).decompose(joint.position, joint.quaternion, new THREE.Vector3());
      joint.matrixWorldNeedsUpdate = true;
    }
    for (const [name, value] of Object.entries(q)) {
      const joint = this.object.joints[name];
      if (joint === undefined || !Number.isFinite(value)) continue;
      joint.ignoreLimits = true; // show the reported position even beyond a limit
      joint.setJointValue(value);
    }
    this.object.updateMatrixWorld(true);
  }

  /** Draws bodies in frames of their own, and all others where their links are. */
  place(placed: readonly Placed[]): void {
    if (placed.length === 0 && this.moved.size === 0) return;
    for (const [visual, local] of this.moved) local.decompose(visual.position, visual.quaternion, visual.scale);
    this.moved.clear();
    for (const body of this.bodies) body.split(placed.length > 0);
    const shapes = placed.filter((x) => x.shape !== null);
    for (const x of [...shapes, ...placed.filter((p) => p.shape === null)]) {
      const link = this.object.links[x.link];
      const visuals = link?.children.filter((c) => (c as Partial<URDFVisual>).isURDFVisual || (x.shape === null && colliderOf(c) !== null)) ?? [];
      const frame = new THREE.Matrix4().compose(new THREE.Vector3(...x.p), new THREE.Quaternion(...x.q).normalize(), new THREE.Vector3(1, 1, 1));
      visuals.forEach((v, i) => {
        if (link === undefined || (x.shape !== null && x.shape !== i)) return;
        v.updateMatrix();
        if (!this.moved.has(v)) this.moved.set(v, v.matrix.clone());
        const local = x.shape !== null ? frame : link.matrixWorld.clone().invert().multiply(frame).multiply(v.matrix);
        local.decompose(v.position, v.quaternion, v.scale);
      });
    }
    this.object.updateMatrixWorld(true);
  }

  /** Positions of all movable joints. */
  get positions(): Record<string, number> {
    return Object.fromEntries(this.joints.map(({ name }) => [name, this.object.joints[name]?.angle ?? 0]));
  }

  /** Returns the pose of a link in the world. */
  pose(link: string): { position: THREE.Vector3; quaternion: THREE.Quaternion } | null {
    const object = this.object.links[link];
    if (object === undefined) return null;
    object.updateWorldMatrix(true, false);
    const [position, quaternion] = [new THREE.Vector3(), new THREE.Quaternion()];
    object.matrixWorld.decompose(position, quaternion, new THREE.Vector3());
    return { position, quaternion };
  }

  /** The link at the end of the longest chain of joints, the default tool. */
  get tool(): string {
    const depth = (name: string): number => {
      const { moving, all } = this.chain(name);
      return moving * 1000 + all;
    };
    return this.links.reduce((best, name) => (depth(name) > depth(best) ? name : best), this.links[0] ?? "");
  }

  /** The default hand: the tool, or where its fingers branch off if that has at least half of the tool's joints below it. */
  get hand(): string {
    const { tool } = this;
    const half = this.chain(tool).moving / 2;
    for (let at: THREE.Object3D | null = this.object.links[tool]?.parent ?? null; at !== null; at = at.parent) {
      const link = at as Partial<URDFLink>;
      if (link.isURDFLink !== true || at.children.filter((c) => isJoint(c) && c.jointType !== "fixed").length < 2) continue;
      return this.chain(at.name).moving >= half ? at.name : tool;
    }
    return tool;
  }

  /** Counts the joints between the base and a link: all, and the movable ones; one that floats counts as six, one in a plane as three. */
  chain(link: string): { all: number; moving: number } {
    const count = { all: 0, moving: 0 };
    for (let at: THREE.Object3D | null = this.object.links[link] ?? null; at !== null; at = at.parent) {
      if (!isJoint(at)) continue;
      count.all++;
      if (moves(at)) count.moving++;
      else if (floats(at)) count.moving += at.jointType === "planar" ? 3 : 6;
    }
    return count;
  }

  /** Returns the distance of a link's frame to the nearest distinct parent or child frame, in m; Infinity if there is none. */
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

  /** Returns the robot's bounding box. */
  box(): THREE.Box3 {
    return new THREE.Box3().setFromObject(this.object);
  }

  /** Returns the robot's outermost points in the world. */
  outline(): Outline {
    this.object.updateMatrixWorld(true);
    return outlineOf(this.object);
  }

  /** Returns the movable joint that carries an object of the robot; null for the base. */
  jointOf(object: THREE.Object3D): URDFJoint | null {
    for (let at: THREE.Object3D | null = object; at !== null; at = at.parent) if (isJoint(at) && moves(at)) return at;
    return null;
  }

  /** Draws all bodies with one material, without shadows; null: with their own materials again. */
  dress(material: THREE.Material | null): void {
    this.dressed = material;
    this.forMeshes((m) => {
      const own = this.own.get(m) ?? m.material;
      this.own.set(m, own);
      m.material = material ?? own;
      m.castShadow = m.receiveShadow = material === null && (colliderOf(m) === null || this.shapes === "collision");
    });
  }

  /** Lets the mouse pass through the bodies. */
  ignoreMouse(): void {
    this.ignored = true;
    this.forMeshes((m) => (m.raycast = () => undefined));
  }

  private forMeshes(f: (m: THREE.Mesh) => void): void {
    const apply = (o: THREE.Object3D): void => void (o instanceof THREE.Mesh && f(o as THREE.Mesh<THREE.BufferGeometry, THREE.Material | THREE.Material[]>));
    this.object.traverse(apply);
    for (const body of this.bodies) for (const { mesh } of body.parts) apply(mesh);
  }
}

export function isJoint(o: THREE.Object3D): o is URDFJoint {
  return (o as Partial<URDFJoint>).isURDFJoint === true;
}

/** Reports whether a joint is movable: neither fixed nor a mimic joint. */
function moves(joint: URDFJoint): boolean {
  return ["revolute", "continuous", "prismatic"].includes(joint.jointType) && joint.urdfNode?.querySelector(":scope > mimic") == null;
}

function floats(joint: URDFJoint): boolean {
  return joint.jointType === "floating" || joint.jointType === "planar";
}

function describe(joint: URDFJoint): JointInfo {
  const endless = joint.jointType === "continuous" || !(joint.limit.upper > joint.limit.lower);
  const { lower, upper } = endless ? { lower: -Math.PI, upper: Math.PI } : joint.limit;
  const limit = (name: string): number => Number(joint.urdfNode?.querySelector(":scope > limit")?.getAttribute(name) ?? 0);
  let carrier: THREE.Object3D | null = joint.parent;
  while (carrier !== null && !(isJoint(carrier) && moves(carrier))) carrier = carrier.parent;
  const [speed, effort, parent] = [limit("velocity"), limit("effort"), carrier === null ? null : (carrier as URDFJoint).name];
  return { name: joint.name, lower, upper, slides: joint.jointType === "prismatic", speed: speed > 0 ? speed : 1, endless, effort: effort > 0 ? effort : 0, parent };
}

/** Returns the meshes of an object that is drawn. */
function meshesOf(object: THREE.Object3D): THREE.Object3D[] {
  const all: THREE.Object3D[] = [];
  object.traverse((o) => void (o instanceof THREE.Mesh && all.push(o)));
  return all;
}
