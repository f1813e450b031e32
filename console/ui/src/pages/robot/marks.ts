// Marks drawn with a robot: frames, centre of mass, contact forces, tool path, which are updated in place, without allocation per frame;
// and distances between bodies.

import * as THREE from "three";
import type { PlanContact } from "../../lib/plans";
import type { Contact } from "../../lib/robots";
import type { RobotModel } from "./model";
import { dispose } from "./dispose";

export const frameColours = [0xe5484d, 0x46a758, 0x3e82f7] as const;
export const massColour = 0xe0a83a;
export const contactColour = 0xf76b15;

/** Axes at every link: x red, y green, z blue; shorter where frames are close together. */
export class Frames {
  readonly group = new THREE.Group();
  private readonly axes: { link: string; helper: THREE.AxesHelper }[];

  constructor(
    private readonly model: RobotModel,
    size: number,
  ) {
    this.axes = model.links.map((link) => {
      const helper = new THREE.AxesHelper(Math.min(size * 0.09, Math.max(size * 0.02, 0.7 * model.spacing(link))));
      helper.setColors(...frameColours);
      const material = helper.material as THREE.LineBasicMaterial;
      material.depthTest = false;
      helper.renderOrder = 2;
      this.group.add(helper);
      return { link, helper };
    });
  }

  update(): void {
    if (!this.group.visible) return;
    for (const { link, helper } of this.axes) {
      const pose = this.model.pose(link);
      if (pose === null) continue;
      helper.position.copy(pose.position);
      helper.quaternion.copy(pose.quaternion);
    }
  }
}

/** Returns mass in kg and its centre in the world, from the inertias of the URDF; null if no link has a mass. */
export function centreOfMass(model: Pick<RobotModel, "object">): { mass: number; centre: THREE.Vector3 } | null {
  const centre = new THREE.Vector3();
  let mass = 0;
  for (const link of Object.values(model.object.links)) {
    const inertial = link.inertial as typeof link.inertial | null | undefined;
    const part = inertial?.mass ?? 0;
    if (!(part > 0)) continue;
    const [x = 0, y = 0, z = 0] = inertial?.origin.xyz ?? [];
    centre.addScaledVector(new THREE.Vector3(x, y, z).applyMatrix4(link.matrixWorld), part);
    mass += part;
  }
  return mass > 0 ? { mass, centre: centre.divideScalar(mass) } : null;
}

const ringRadius = 0.02; // of the robot's size

/** The centre of mass as a quartered ball, with a line down to the floor. */
export class MassMark {
  readonly group = new THREE.Group();
  private readonly ball: THREE.Mesh;
  private readonly plumb: THREE.Line;
  private readonly foot: THREE.Mesh;

  constructor(
    private readonly model: Pick<RobotModel, "object">,
    private readonly size: number,
  ) {
    const geometry = new THREE.SphereGeometry(size * 0.022, 24, 16).toNonIndexed();
    const places = geometry.getAttribute("position");
    const colours = new Float32Array(places.count * 3);
    for (let face = 0; face < places.count; face += 3) {
      let [x, y, z] = [0, 0, 0];
      for (let k = face; k < face + 3; k++) [x, y, z] = [x + places.getX(k), y + places.getY(k), z + places.getZ(k)];
      const shade = x * y * z > 0 ? 0.05 : 0.95;
      colours.fill(shade, face * 3, face * 3 + 9);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    this.ball = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true, depthTest: false }));
    this.ball.renderOrder = 3;
    this.plumb = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]), new THREE.LineDashedMaterial({ color: massColour, dashSize: 0.03, gapSize: 0.02, depthTest: false }));
    this.plumb.computeLineDistances();
    this.foot = new THREE.Mesh(new THREE.RingGeometry(size * 0.014, size * ringRadius, 24), new THREE.MeshBasicMaterial({ color: massColour, side: THREE.DoubleSide, depthTest: false }));
    this.group.add(this.ball, this.plumb, this.foot);
  }

  update(): void {
    if (!this.group.visible) return;
    const found = centreOfMass(this.model);
    this.ball.visible = this.plumb.visible = this.foot.visible = found !== null;
    if (found === null) return;
    this.ball.position.copy(found.centre);
    this.plumb.position.copy(found.centre);
    this.plumb.scale.z = Math.max(1e-6, found.centre.z);
    this.foot.position.set(found.centre.x, found.centre.y, 0.001);
  }

  /**
   * Returns the corners of the ring on the floor in the world, which a picture must show with the robot; none while the mark is hidden, and none if
   * the centre of mass is more than twice the robot's size above the floor: a robot that flies would become small.
   */
  get corners(): THREE.Vector3[] {
    const centre = this.group.visible ? centreOfMass(this.model)?.centre : undefined;
    if (centre === undefined || Math.abs(centre.z) > 2 * this.size) return [];
    const radius = ringRadius * this.size;
    return [-radius, radius].flatMap((x) => [-radius, radius].map((y) => new THREE.Vector3(centre.x + x, centre.y + y, 0)));
  }
}

/** Contact forces as arrows from their point of application. */
export class ContactArrows {
  readonly group = new THREE.Group();
  private readonly arrows: THREE.ArrowHelper[] = [];

  /** Shows contacts. newtons is the force of an arrow of 1 m; size is the robot's size in m. */
  show(contacts: readonly Contact[], newtons: number, size: number): void {
    contacts.forEach(({ point, force }, i) => {
      const arrow = this.arrows[i] ?? this.add();
      const vector = new THREE.Vector3(...force);
      const length = vector.length() / newtons;
      arrow.visible = length > size * 0.005;
      if (!arrow.visible) return;
      arrow.position.set(...point);
      arrow.setDirection(vector.normalize());
      arrow.setLength(length, Math.min(length * 0.4, size * 0.04), size * 0.02);
    });
    for (const arrow of this.arrows.slice(contacts.length)) arrow.visible = false;
  }

  private add(): THREE.ArrowHelper {
    const arrow = new THREE.ArrowHelper(undefined, undefined, 1, contactColour);
    for (const part of [arrow.line, arrow.cone]) {
      (part.material as THREE.Material).depthTest = false; // keeps a force inside a body visible
      part.renderOrder = 2;
    }
    this.arrows.push(arrow);
    this.group.add(arrow);
    return arrow;
  }
}

/** The path of a point: the newest 2,000 positions. */
export class Trail {
  readonly line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly places: THREE.BufferAttribute;
  private count = 0;
  private readonly most = 2000;

  constructor(colour: THREE.ColorRepresentation) {
    const geometry = new THREE.BufferGeometry();
    this.places = new THREE.BufferAttribute(new Float32Array(this.most * 3), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", this.places);
    geometry.setDrawRange(0, 0);
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8 }));
    this.line.frustumCulled = false;
  }

  /** Adds a position unless it is closer than step (m) to the last one. */
  add(place: THREE.Vector3, step: number): void {
    const { array } = this.places;
    const last = (this.count - 1) * 3;
    if (this.count > 0 && Math.hypot(place.x - (array[last] ?? 0), place.y - (array[last + 1] ?? 0), place.z - (array[last + 2] ?? 0)) < step) return;
    if (this.count === this.most) {
      array.copyWithin(0, (this.most / 4) * 3); // drops a quarter at once
      this.count -= this.most / 4;
    }
    this.places.setXYZ(this.count++, place.x, place.y, place.z);
    this.places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }

  clear(): void {
    this.count = 0;
    this.line.geometry.setDrawRange(0, 0);
  }
}

export type Segments = THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

/** Returns lines between pairs of points, none at first. */
export function segments(color: number, opacity: number): Segments {
  const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color, opacity, transparent: opacity < 1 }));
  lines.frustumCulled = false;
  lines.visible = false;
  return lines;
}

/** Draws other lines: x, y, z of both ends of each. */
export function setSegments(lines: Segments, numbers: ArrayLike<number>): void {
  lines.visible = numbers.length > 0;
  if (!lines.visible) return;
  lines.geometry.dispose();
  lines.geometry = new THREE.BufferGeometry();
  lines.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(numbers), 3));
}

/** Red balls, also inside bodies. */
export class Balls {
  readonly group = new THREE.Group();
  private readonly material = new THREE.MeshBasicMaterial({ color: 0xe0202c, depthTest: false });

  clear(): void {
    this.group.traverse(dispose);
    this.group.clear();
  }

  /** Adds a ball; size is that of the picture, m. */
  add(at: THREE.Vector3, size: number): void {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(size * 0.008, 16, 10), this.material);
    ball.position.copy(at);
    ball.renderOrder = 2;
    this.group.add(ball);
  }

  /** Adds a ball where two bodies touch or overlap. */
  addContact({ pa, pb }: Pick<PlanContact, "pa" | "pb">, size: number): void {
    this.add(new THREE.Vector3(...pa).add(new THREE.Vector3(...pb)).multiplyScalar(0.5), size);
  }
}

/** Distances of pairs of bodies: lines between the nearest points, and balls where bodies overlap. */
export class PairMarks {
  readonly group = new THREE.Group();
  private readonly lines = segments(0xc21f9b, 1);
  private readonly balls = new Balls();

  constructor() {
    this.lines.material.depthTest = false; // also between points that a body hides
    this.lines.renderOrder = 2;
    this.group.add(this.lines, this.balls.group);
  }

  /** Draws other pairs; size is that of the picture, m. */
  show(pairs: readonly PlanContact[], size: number): void {
    setSegments(this.lines, pairs.flatMap((c) => [...c.pa, ...c.pb]));
    this.balls.clear();
    for (const c of pairs) if (c.distance < 0) this.balls.addContact(c, size);
  }
}
