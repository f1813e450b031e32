// The 3-D view of one robot: its bodies, a ghost of another pose, marks, and the handle of the tool.

import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { dragJoints } from "./drag";
import type { Robot } from "../../lib/robots";
import { roundStep } from "../scope/axes";
import { centreOfMass, ContactArrows, Frames, MassMark, Trail } from "./marks";
import { RobotModel } from "./model";
import { byName, type Motion } from "./motion";
import { Scene } from "./scene";

/** What is shown beside the bodies. */
export interface Shows {
  grid: boolean;
  ghost: boolean;
  frames: boolean;
  mass: boolean;
  contacts: boolean;
  trail: boolean;
}

/** A pose: position in m, orientation x, y, z, w. */
export interface Pose {
  p: [number, number, number];
  q: [number, number, number, number];
}

/** A pose that is wanted; without q any orientation will do. */
export type Wish = Pick<Pose, "p"> & Partial<Pick<Pose, "q">>;

/** What the user's hand does. */
export interface HandActions {
  hover(joint: string | null): void;
  moveJoint(joint: string, position: number): void;
  moveTool(pose: Wish): void;
  /** The tool was let go. */
  dropTool(): void;
}

export class RobotView {
  readonly scene: Scene;
  readonly model: RobotModel;
  private readonly ghost: RobotModel;
  private readonly frames: Frames;
  private readonly massMark: MassMark;
  private readonly arrows = new ContactArrows();
  private readonly trail: Trail;
  private readonly handle: TransformControls;
  private readonly grip = new THREE.Object3D();
  private readonly ends: (() => void)[] = [];
  private shows: Shows = { grid: true, ghost: true, frames: false, mass: false, contacts: true, trail: false };
  private hasGhost = false;
  private framed = false; // the picture was fitted to the robot as it is
  private readonly stretched: THREE.Box3; // what it takes with its joints at 0: arms that are folded now will rise
  private toolLink: string;
  private readonly ghostMaterial: THREE.MeshLambertMaterial;
  private lit: THREE.Object3D[] = [];

  private constructor(host: HTMLElement, model: RobotModel, ghost: RobotModel, accent: string) {
    this.scene = new Scene(host);
    this.model = model;
    this.ghost = ghost;
    this.ghostMaterial = new THREE.MeshLambertMaterial({ color: accent, transparent: true, opacity: 0.3, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
    ghost.paint(this.ghostMaterial);
    ghost.object.visible = false;
    this.scene.scene.add(model.object, ghost.object);
    model.object.updateMatrixWorld(true);
    this.stretched = model.box();
    this.scene.frameBox(this.stretched);
    this.frames = new Frames(model, this.scene.size);
    this.massMark = new MassMark(model, this.scene.size);
    this.trail = new Trail(accent);
    this.toolLink = model.tool;
    this.handle = new TransformControls(this.scene.camera, this.scene.canvas);
    this.handle.setSize(0.7);
    this.handle.attach(this.grip);
    const helper = this.handle.getHelper();
    helper.visible = this.handle.enabled = false;
    this.scene.scene.add(this.frames.group, this.massMark.group, this.arrows.group, this.trail.line, this.grip, helper);
    this.handle.addEventListener("change", () => this.scene.invalidate());
    this.scene.beforeDrawing(() => {
      this.frames.update();
      this.massMark.update();
    });
    this.show(this.shows);
  }

  /** Loads a robot into an element of the page. */
  static async open(host: HTMLElement, robot: Robot): Promise<RobotView> {
    const [model, ghost] = await Promise.all([RobotModel.load(robot.urdf), RobotModel.load(robot.urdf)]);
    const accent = getComputedStyle(host).getPropertyValue("--accent").trim();
    return new RobotView(host, model, ghost, accent);
  }

  /** Lets the user drag joints and, where the handle is shown, the tool. */
  takeHand(actions: HandActions): void {
    this.ends.push(
      dragJoints(this.scene, this.model, {
        hover: (joint) => {
          this.light(joint);
          actions.hover(joint);
        },
        move: (joint, position) => actions.moveJoint(joint, position),
        allowed: () => this.handle.axis === null,
      }),
    );
    this.handle.addEventListener("dragging-changed", (e) => {
      this.scene.controls.enabled = e.value !== true;
      if (e.value !== true) actions.dropTool();
    });
    this.handle.addEventListener("objectChange", () => actions.moveTool(this.wish()));
  }

  /** Shows the robot at joint positions, and its ghost at others (null: none). */
  place(robot: Robot, solid: readonly number[], ghost: readonly number[] | null, motion: Motion): void {
    this.setBase(this.model, motion);
    this.model.move(byName(robot, solid));
    if (!this.framed && solid.some(Number.isFinite)) {
      this.framed = true;
      this.scene.goWith(this.model.object.position);
      this.scene.frameBox(this.model.box().union(this.stretched.clone().translate(this.model.object.position)));
    } else this.scene.goWith(this.model.object.position);
    this.hasGhost = ghost !== null && ghost.some(Number.isFinite);
    if (this.hasGhost && this.shows.ghost && ghost !== null) {
      this.setBase(this.ghost, motion);
      this.ghost.move(byName(robot, ghost));
    }
    this.ghost.object.visible = this.shows.ghost && this.hasGhost && differ(solid, ghost ?? [], 5e-3);
    if (this.shows.contacts) this.arrows.show(motion.contacts, this.forceScale.newtons / this.forceScale.metres, this.scene.size);
    if (!this.handle.dragging) this.gripTool();
    this.scene.invalidate();
  }

  /** Adds where the tool is to the trail. */
  leaveTrail(): void {
    const pose = this.shows.trail ? this.model.pose(this.toolLink) : null;
    if (pose !== null) this.trail.add(pose.position, this.scene.size * 2e-3);
  }

  show(shows: Shows): void {
    this.shows = { ...shows };
    this.scene.gridShown = shows.grid;
    this.ghost.object.visible = shows.ghost && this.hasGhost;
    this.frames.group.visible = shows.frames;
    this.massMark.group.visible = shows.mass;
    this.arrows.group.visible = shows.contacts;
    this.trail.line.visible = shows.trail;
    if (!shows.trail) this.trail.clear();
    this.scene.invalidate();
  }

  /** The link that is the tool. */
  set tool(link: string) {
    this.toolLink = link;
    this.trail.clear();
    this.gripTool();
    this.scene.invalidate();
  }

  get tool(): string {
    return this.toolLink;
  }

  /** Pose of the tool in the world. */
  toolPose(): Pose | null {
    const pose = this.model.pose(this.toolLink);
    return pose && { p: pose.position.toArray(), q: pose.quaternion.toArray() as Pose["q"] };
  }

  /** Shows the handle by which the tool is dragged; null hides it. */
  set toolHandle(mode: "translate" | "rotate" | null) {
    this.handle.enabled = this.handle.getHelper().visible = mode !== null;
    if (mode !== null) this.handle.setMode(mode);
    this.gripTool();
    this.scene.invalidate();
  }

  /** The robot's mass in kg; null where its description tells none. */
  get mass(): number | null {
    return centreOfMass(this.model)?.mass ?? null;
  }

  /** How long arrows of forces are: round numbers, by which the robot's weight is about half its size. */
  get forceScale(): { metres: number; newtons: number } {
    const [metres, weight] = [this.scene.cell, 9.81 * (this.mass ?? 10)];
    return { metres, newtons: roundStep((2 * weight * metres) / this.scene.size) };
  }

  recolour(host: HTMLElement): void {
    const accent = getComputedStyle(host).getPropertyValue("--accent").trim();
    this.ghostMaterial.color.set(accent);
    this.trail.line.material.color.set(accent);
    this.scene.recolour();
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.handle.detach();
    this.handle.dispose();
    this.scene.dispose();
  }

  private setBase(model: RobotModel, { base }: Motion): void {
    if (base === null) return;
    const [x = 0, y = 0, z = 0, w = 1] = base.q;
    model.object.position.fromArray(base.p);
    model.object.quaternion.set(x, y, z, w).normalize();
  }

  /**
   * Where the tool shall go, seen from the robot's base: that may move in the world. Fewer than six joints cannot hold an
   * orientation while they move the tool: only the place is wanted of them then.
   */
  private wish(): Wish {
    this.grip.updateMatrixWorld();
    const inBase = this.model.object.matrixWorld.clone().invert().multiply(this.grip.matrixWorld);
    const [p, q] = [new THREE.Vector3(), new THREE.Quaternion()];
    inBase.decompose(p, q, new THREE.Vector3());
    const free = this.handle.mode === "translate" && this.model.chain(this.toolLink).moving < 6;
    return free ? { p: p.toArray() } : { p: p.toArray(), q: q.toArray() as Pose["q"] };
  }

  private gripTool(): void {
    const pose = this.model.pose(this.toolLink);
    if (pose === null) return;
    this.grip.position.copy(pose.position);
    this.grip.quaternion.copy(pose.quaternion);
  }

  /** Lights the bodies that a joint moves by itself. */
  private light(joint: string | null): void {
    const paint = (objects: THREE.Object3D[], colour: number): void => {
      for (const o of objects) if (o instanceof THREE.Mesh && o.material instanceof THREE.MeshLambertMaterial) o.material.emissive.setHex(colour);
    };
    paint(this.lit, 0);
    this.lit = [];
    const object = joint === null ? undefined : this.model.object.joints[joint];
    object?.traverse((o) => {
      if (o instanceof THREE.Mesh && this.model.jointOf(o) === object) this.lit.push(o);
    });
    paint(this.lit, 0x1b4a8a);
    this.scene.invalidate();
  }
}

function differ(a: readonly number[], b: readonly number[], tolerance: number): boolean {
  return a.some((x, i) => Math.abs(x - (b[i] ?? x)) > tolerance);
}
