// Obstacles as 3-D bodies, and marks of a plan: the way of the hand, the planner's trees, contacts and distances.

import * as THREE from "three";
import type { Obstacle, Part, Plan, PlanContact, Quaternion, Triple } from "../../lib/plans";
import { Balls, PairMarks, segments, setSegments } from "../robot/marks";
import { dispose } from "../robot/dispose";

const planeSize = 40; // m, of the square that is drawn of a half-space

/** Returns the surface of a part; one that the server has read comes later, by fill. */
function geometryOf(part: Part): THREE.BufferGeometry {
  const [a = 0.1, b = 0.1, c = 0.1] = part.size;
  const upright = (g: THREE.BufferGeometry): THREE.BufferGeometry => g.rotateX(Math.PI / 2); // the axis of three.js is y
  switch (part.kind) {
    case "sphere":
      return new THREE.SphereGeometry(a, 32, 20);
    case "cylinder":
      return upright(new THREE.CylinderGeometry(b, b, a, 32));
    case "cone":
      return upright(new THREE.ConeGeometry(b, a, 32));
    case "file":
      return part.file === "" ? new THREE.PlaneGeometry(planeSize, planeSize) : new THREE.BufferGeometry();
    default:
      return new THREE.BoxGeometry(a, b, c);
  }
}

/** Loads what a mesh shows of a shape that the server has read: a surface, or a ball for each point. Where that fails it is the box around the shape. */
async function fill(mesh: THREE.Mesh, { file = "", size: [a = 0.1, b = 0.1, c = 0.1] }: Part): Promise<void> {
  try {
    const answer = await fetch(THREE.DefaultLoadingManager.resolveURL(file), { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    const data = await answer.arrayBuffer();
    if (file.endsWith(".points")) return addBalls(mesh, new Float32Array(data));
    const { STLLoader } = await import("three/examples/jsm/loaders/STLLoader.js");
    mesh.geometry = new STLLoader().parse(data);
  } catch {
    mesh.geometry = new THREE.BoxGeometry(a, b, c);
  }
}

/** Draws a ball for each x, y, z and radius. */
function addBalls(mesh: THREE.Mesh, balls: Float32Array): void {
  const n = balls.length / 4;
  const detail = n > 2_000 ? 0 : 1; // an icosahedron is a ball if there are many
  const all = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(1, detail), mesh.material, n);
  for (let i = 0; i < n; i++) {
    const [x = 0, y = 0, z = 0, r = 0] = balls.subarray(4 * i, 4 * i + 4);
    all.setMatrixAt(i, new THREE.Matrix4().makeScale(r, r, r).setPosition(x, y, z));
  }
  all.name = mesh.name;
  mesh.add(all);
}

/** All obstacles. */
export class Obstacles {
  readonly group = new THREE.Group();
  private readonly around = new THREE.MeshLambertMaterial({ color: 0x8a93a0, transparent: true, opacity: 0.22, depthWrite: false });
  private readonly chosen = new THREE.MeshLambertMaterial({ color: 0xd0a53a, transparent: true, opacity: 0.92 });
  private readonly hit = new THREE.MeshLambertMaterial({ color: 0xd03a3a, transparent: true, opacity: 0.92 });
  private readonly bodies = new Map<string, { group: THREE.Group; parts: readonly Part[] }>();

  /** Obstacles with a part larger than this, m, are drawn so that one sees what is behind or within them. */
  large = Infinity;

  /** changed is called when a shape was loaded; material is that of obstacles that are not drawn in a colour of their own. */
  constructor(
    private readonly changed: () => void,
    private readonly material: THREE.Material = new THREE.MeshLambertMaterial({ color: 0x8a93a0, transparent: true, opacity: 0.88 }),
  ) {}

  /** Draws obstacles: the selected one and those in contact in colours of their own. */
  show(objects: readonly Obstacle[], selected: string, touched: ReadonlySet<string>): void {
    for (const [name, { group }] of this.bodies) if (!objects.some((o) => o.name === name)) this.remove(name, group);
    for (const o of objects) {
      let body = this.bodies.get(o.name);
      if (body !== undefined && body.parts !== o.parts) {
        this.remove(o.name, body.group);
        body = undefined;
      }
      if (body === undefined) {
        body = { group: build(o, this.changed), parts: o.parts };
        this.bodies.set(o.name, body);
        this.group.add(body.group);
      }
      body.group.position.fromArray(o.p);
      body.group.quaternion.fromArray(o.q);
      const material = touched.has(o.name) ? this.hit : o.name === selected ? this.chosen : o.parts.some((p) => Math.max(...p.size) > this.large) ? this.around : this.material;
      body.group.traverse((m) => {
        if (m instanceof THREE.Mesh) m.material = material;
      });
    }
  }

  /** Returns the name of the obstacle that a mesh belongs to. */
  nameOf(mesh: THREE.Object3D): string {
    let at: THREE.Object3D | null = mesh;
    while (at !== null && at.parent !== this.group) at = at.parent;
    return at?.name ?? "";
  }

  private remove(name: string, group: THREE.Group): void {
    group.traverse(dispose);
    group.removeFromParent();
    this.bodies.delete(name);
  }
}

function build(o: Obstacle, changed: () => void): THREE.Group {
  const group = new THREE.Group();
  group.name = o.name;
  for (const part of o.parts) {
    const mesh = new THREE.Mesh(geometryOf(part));
    mesh.position.fromArray(part.p);
    mesh.quaternion.fromArray(part.q);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
    if (part.kind === "file" && part.file !== "") void fill(mesh, part).then(changed);
  }
  return group;
}

const wide = 3; // an obstacle more than 3 times as large as the robot and its way, or as far away, does not count for the picture

/** Returns a box around a robot, the obstacles beside it, and a way: x, y, z of its points. */
export function around(robot: THREE.Box3, objects: readonly Obstacle[], way: ArrayLike<number>): THREE.Box3 {
  const all = robot.clone();
  for (let i = 0; i + 2 < way.length; i += 3) all.expandByPoint(new THREE.Vector3(way[i], way[i + 1], way[i + 2]));
  const most = wide * robot.getSize(new THREE.Vector3()).length();
  const centre = robot.getCenter(new THREE.Vector3());
  for (const { p, q, parts } of objects) {
    for (const part of parts) {
      const half = halfOf(part);
      const box = new THREE.Box3(half.clone().negate(), half).applyMatrix4(poseOf(part.p, part.q)).applyMatrix4(poseOf(p, q));
      if (2 * Math.max(...half.toArray()) < most && box.getCenter(new THREE.Vector3()).distanceTo(centre) < most) all.union(box);
    }
  }
  return all;
}

/** Returns half the size of a box around a part, along its own axes. */
function halfOf({ kind, size: [a = 0.1, b = 0.1, c = 0.1] }: Part): THREE.Vector3 {
  if (kind === "sphere") return new THREE.Vector3(a, a, a);
  if (kind === "cylinder" || kind === "cone") return new THREE.Vector3(b, b, a / 2);
  return new THREE.Vector3(a / 2, b / 2, c / 2);
}

function poseOf(p: Triple, q: Quaternion): THREE.Matrix4 {
  return new THREE.Matrix4().compose(new THREE.Vector3(...p), new THREE.Quaternion(...q), new THREE.Vector3(1, 1, 1));
}

/** The marks of a plan. */
export class Marks {
  readonly group = new THREE.Group();
  private readonly path = tube();
  private readonly tree = segments(0x7a869a, 0.55);
  private readonly missing = segments(0xe0202c, 1); // from where the hand comes to where it should be
  private readonly least = segments(0xe07b00, 1);
  private readonly pairs = new PairMarks();
  private readonly contacts = new Balls();
  private colour = "#000";

  /** size: of the picture, m, by which marks are scaled */
  constructor(public size: number) {
    this.group.add(this.path, this.tree, this.least, this.pairs.group, this.missing, this.contacts.group);
  }

  set accent(colour: string) {
    this.colour = colour;
    this.path.material.color.set(colour);
  }

  /** Draws a plan without its tree. A way that ends before the goal is grey. */
  show(plan: Plan | null): void {
    const hand = plan?.hand ?? [];
    this.path.geometry.dispose();
    this.path.visible = hand.length > 3;
    this.path.material.color.set(plan?.why === null ? this.colour : 0x7a869a);
    if (this.path.visible) this.path.geometry = pipe(hand, this.size * 0.0022);
    setSegments(this.least, plan?.least == null ? [] : [...plan.least.pa, ...plan.least.pb]);
    const { wanted, reached } = plan?.why ?? {};
    setSegments(this.missing, wanted === undefined || reached === undefined ? [] : [...reached, ...wanted]);
    this.contacts.clear();
    for (const c of plan?.why?.contacts ?? []) if (c.distance !== 0) this.contacts.addContact(c, this.size); // else its place is not known
    if (wanted !== undefined) this.contacts.add(new THREE.Vector3(...wanted), this.size);
  }

  /** Draws distances of pairs. */
  showDistances(pairs: readonly PlanContact[]): void {
    this.pairs.show(pairs, this.size);
  }

  /** Draws edges of the planner's trees. */
  showTree(edges: ArrayLike<number>): void {
    setSegments(this.tree, edges);
  }
}

const sides = 5; // of the pipe around a path

/** Returns a pipe around a line through points, given as x, y, z in a row. */
function pipe(points: ArrayLike<number>, radius: number): THREE.BufferGeometry {
  const n = points.length / 3;
  const [corners, normals] = [new Float32Array(3 * sides * n), new Float32Array(3 * sides * n)];
  const index: number[] = [];
  const at = (i: number): THREE.Vector3 => new THREE.Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  const side = new THREE.Vector3(1, 0, 0);
  for (let i = 0; i < n; i++) {
    const along = at(Math.min(n - 1, i + 1)).sub(at(Math.max(0, i - 1))).normalize();
    side.addScaledVector(along, -side.dot(along)); // turned as little as possible
    if (side.lengthSq() < 1e-6) side.set(along.y, along.z, along.x).cross(along);
    side.normalize();
    const up = along.cross(side);
    for (let k = 0; k < sides; k++) {
      const [a, to] = [(2 * Math.PI * k) / sides, 3 * (i * sides + k)];
      const normal = side.clone().multiplyScalar(Math.cos(a)).addScaledVector(up, Math.sin(a));
      normal.toArray(normals, to);
      at(i).addScaledVector(normal, radius).toArray(corners, to);
      if (i === 0) continue;
      const [b, c, d] = [i * sides + k, i * sides + ((k + 1) % sides), (i - 1) * sides + ((k + 1) % sides)];
      index.push(b - sides, b, d, b, c, d);
    }
  }
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  g.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  return g.setIndex(index);
}

type Tube = THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;

function tube(): Tube {
  const path = new THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial());
  path.frustumCulled = false;
  return path;
}
