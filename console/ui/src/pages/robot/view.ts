// The 3-D view of one robot: its bodies, a ghost in another pose, marks, and the tool handle.

import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { dragJoints } from "./drag";
import { Framing } from "./framing";
import type { PlanContact } from "../../lib/plans";
import type { Robot } from "../../lib/robots";
import { roundStep } from "../scope/axes";
import type { Layers } from "./layers";
import { centreOfMass, ContactArrows, Frames, MassMark, PairMarks, Trail } from "./marks";
import { RobotModel } from "./model";
import { byName, type Motion } from "./motion";
import { pushLink } from "./push";
import { Scene, type ViewName } from "./scene";

/** A pose: position in m, orientation x, y, z, w. */
export interface Pose {
  p: [number, number, number];
  q: [number, number, number, number];
}

/** A target pose; without q, any orientation is accepted. */
export type PoseTarget = Pick<Pose, "p"> & Partial<Pick<Pose, "q">>;

/** Callbacks of posing the robot with the mouse. */
export interface PoseActions {
  hover(joint: string | null): void;
  moveJoint(joint: string, position: number): void;
  moveTool(pose: PoseTarget): void;
  /** The user has released the tool. */
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
  private readonly pairs = new PairMarks();
  private readonly handle: TransformControls;
  private readonly grip = new THREE.Object3D();
  private readonly ends: (() => void)[] = [];
  private layers: Layers = { shapes: "visual", grid: true, ghost: true, frames: false, mass: false, contacts: true, trail: false, distances: false };
  /** Whether the mouse pushes, instead of posing joints. */
  pushing = false;
  private hasGhost = false;
  private preview = false; // the model is in a pose that the robot does not have; the other one shows the robot
  private placed = ""; // what place has drawn, as JSON
  private readonly framing: Framing;
  private toolLink: string;
  private readonly ghostMaterial: THREE.MeshLambertMaterial;
  private readonly litMaterial: THREE.MeshLambertMaterial;
  private lit: THREE.Object3D[] = [];

  private constructor(host: HTMLElement, model: RobotModel, ghost: RobotModel, accent: string) {
    this.scene = new Scene(host);
    this.model = model;
    this.ghost = ghost;
    this.ghostMaterial = new THREE.MeshLambertMaterial({ color: accent, transparent: true, opacity: 0.3, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
    this.litMaterial = this.ghostMaterial.clone();
    this.litMaterial.opacity = 0.6;
    ghost.dress(this.ghostMaterial);
    ghost.ignoreMouse();
    ghost.object.visible = false;
    this.scene.scene.add(model.object, ghost.object);
    this.scene.frame(model.outline().points); // with all joints at 0, until their first positions come
    this.frames = new Frames(model, this.scene.size);
    this.massMark = new MassMark(model, this.scene.size);
    this.framing = new Framing(this.scene, model, this.massMark);
    this.trail = new Trail(accent);
    this.toolLink = model.tool;
    this.handle = new TransformControls(this.scene.camera, this.scene.canvas);
    this.handle.setSize(0.7);
    this.handle.attach(this.grip);
    const helper = this.handle.getHelper();
    helper.visible = this.handle.enabled = false;
    this.scene.scene.add(this.frames.group, this.massMark.group, this.arrows.group, this.trail.line, this.pairs.group, this.grip, helper);
    this.handle.addEventListener("change", () => this.scene.invalidate());
    this.scene.beforeDrawing(() => {
      this.frames.update();
      this.massMark.update();
    });
    this.setLayers(this.layers);
  }

  /** Loads a robot into an element of the page. */
  static async open(host: HTMLElement, robot: Robot): Promise<RobotView> {
    const [model, ghost] = await Promise.all([RobotModel.load(robot.urdf), RobotModel.load(robot.urdf)]);
    const accent = getComputedStyle(host).getPropertyValue("--accent").trim();
    return new RobotView(host, model, ghost, accent);
  }

  /** Lets the user drag joints and, while the handle is shown, the tool. */
  enablePosing(actions: PoseActions): void {
    this.ends.push(
      dragJoints(this.scene, this.model, {
        hover: (joint) => {
          this.light(joint);
          actions.hover(joint);
        },
        move: (joint, position) => actions.moveJoint(joint, position),
        allowed: () => this.handle.axis === null && !this.pushing,
      }),
    );
    this.handle.addEventListener("dragging-changed", (e) => {
      this.scene.controls.enabled = e.value !== true;
      if (e.value !== true) actions.dropTool();
    });
    this.handle.addEventListener("objectChange", () => actions.moveTool(this.target()));
  }

  /** Lets the user push a link while pushing is on; push gets forces in N, in world axes, and null at the end. */
  enablePush(link: string, push: (force: [number, number, number] | null) => void): void {
    this.ends.push(pushLink(this.scene, this.model, link, { push, allowed: () => this.pushing, newtons: () => this.forceScale.newtons / this.forceScale.metres }));
  }

  /**
   * Draws the robot at joint positions, and its ghost at others (null: none). In a preview the first positions are hypothetical and drawn as the
   * ghost, and the others are those of the robot; without the others the first ones are drawn as the robot. Bodies that are drawn so already stay.
   */
  place(robot: Robot, solid: readonly number[], ghost: readonly number[] | null, motion: Motion, preview = false): void {
    const placed = JSON.stringify([solid, ghost, preview, motion.base, motion.contacts, motion.shown.placed]);
    if (placed === this.placed) return;
    this.placed = placed;
    this.setBase(this.model, motion);
    this.model.move(byName(robot, solid));
    this.model.place(motion.shown.placed);
    this.pairs.group.position.copy(this.model.object.position);
    this.pairs.group.quaternion.copy(this.model.object.quaternion);
    this.scene.follow(this.model.object.position);
    if (!preview && solid.some(Number.isFinite)) this.framing.keepInside();
    this.hasGhost = ghost !== null && ghost.some(Number.isFinite);
    this.setPreview(preview && this.hasGhost);
    if (this.hasGhost && (this.layers.ghost || this.preview) && ghost !== null) {
      this.setBase(this.ghost, motion);
      this.ghost.move(byName(robot, ghost));
    }
    this.ghost.object.visible = this.preview || (this.layers.ghost && this.hasGhost && differ(solid, ghost ?? [], 5e-3));
    if (this.layers.contacts) this.arrows.show(motion.contacts, this.forceScale.newtons / this.forceScale.metres, this.scene.size);
    if (!this.handle.dragging) this.gripTool();
    this.scene.invalidate();
  }

  /** Selects a viewpoint, from which all poses that the robot has had fill the picture, and the one in a preview. */
  look(view: ViewName): void {
    this.framing.see(this.preview ? [this.model, this.ghost] : [this.model], 0);
    this.scene.look(view);
  }

  /** Draws distances of links, with points in the frame of the robot's base. */
  showPairs(pairs: readonly PlanContact[]): void {
    this.pairs.show(pairs, this.scene.size);
    this.scene.invalidate();
  }

  /** Adds the tool's position to its path. */
  leaveTrail(): void {
    const pose = this.layers.trail ? this.model.pose(this.toolLink) : null;
    if (pose !== null) this.trail.add(pose.position, this.scene.size * 2e-3);
  }

  setLayers(layers: Layers): void {
    this.layers = { ...layers };
    for (const model of [this.model, this.ghost]) void model.show(layers.shapes).then(() => this.scene.invalidate());
    this.placed = "";
    this.scene.gridShown = layers.grid;
    this.ghost.object.visible = this.preview || (layers.ghost && this.hasGhost);
    this.frames.group.visible = layers.frames;
    this.massMark.group.visible = layers.mass;
    this.arrows.group.visible = layers.contacts;
    this.trail.line.visible = layers.trail;
    if (!layers.trail) this.trail.clear();
    this.scene.invalidate();
  }

  /** The tool's link. */
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

  /** Shows the tool handle; null hides it. */
  set toolHandle(mode: "translate" | "rotate" | null) {
    this.handle.enabled = this.handle.getHelper().visible = mode !== null;
    if (mode !== null) this.handle.setMode(mode);
    this.gripTool();
    this.scene.invalidate();
  }

  /** The robot's mass in kg; null if its description has none. */
  get mass(): number | null {
    return centreOfMass(this.model)?.mass ?? null;
  }

  /** Scale of force arrows, in round numbers; the robot's weight is about half its size long. */
  get forceScale(): { metres: number; newtons: number } {
    const [metres, weight] = [this.scene.grid.cell, 9.81 * (this.mass ?? 10)];
    return { metres, newtons: roundStep((2 * weight * metres) / this.scene.size) };
  }

  recolour(host: HTMLElement): void {
    const accent = getComputedStyle(host).getPropertyValue("--accent").trim();
    this.ghostMaterial.color.set(accent);
    this.litMaterial.color.set(accent);
    this.trail.line.material.color.set(accent);
    this.scene.recolour();
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.handle.detach();
    this.handle.dispose();
    this.scene.dispose();
  }

  /** Exchanges the looks of model and ghost: the hypothetical one is translucent. */
  private setPreview(preview: boolean): void {
    if (preview === this.preview) return;
    this.light(null);
    this.preview = preview;
    this.model.dress(preview ? this.ghostMaterial : null);
    this.ghost.dress(preview ? null : this.ghostMaterial);
  }

  private setBase(model: RobotModel, { base }: Motion): void {
    if (base === null) return;
    const [x = 0, y = 0, z = 0, w = 1] = base.q;
    model.object.position.fromArray(base.p);
    model.object.quaternion.set(x, y, z, w).normalize();
  }

  /**
   * Returns the tool's target pose in the frame of the robot's base, which can move. Fewer than six joints cannot keep an
   * orientation while they move the tool; the target then has only a position.
   */
  private target(): PoseTarget {
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

  /** Highlights the bodies that a joint moves directly. */
  private light(joint: string | null): void {
    const paint = (objects: THREE.Object3D[], colour: number): void => {
      for (const o of objects)
        if (this.preview && o instanceof THREE.Mesh) o.material = colour === 0 ? this.ghostMaterial : this.litMaterial;
        else if (o instanceof THREE.Mesh && o.material instanceof THREE.MeshLambertMaterial) o.material.emissive.setHex(colour);
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
