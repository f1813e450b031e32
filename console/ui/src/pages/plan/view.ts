// The 3-D view of a problem: the robot at the start and at the goal, a ghost on the motion, obstacles, and the handle of what is edited.

import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { moveAtOnce } from "../../lib/moves";
import type { Quaternion } from "../../lib/plans";
import type { ProgramPoint } from "../../lib/programs";
import { colliderOf } from "../robot/colliders";
import { dragJoints } from "../robot/drag";
import { RobotModel } from "../robot/model";
import { Scene } from "../robot/scene";
import { around, Marks, Obstacles } from "./bodies";
import { placed } from "./carried";
import { named, type Drawn, type ViewActions } from "./drawn";
import { pickObstacles } from "./pick";
import { Points } from "./points";
import { keyOf } from "./program.svelte";
import { between, copies, Swept } from "./swept";
import type { End } from "./planning.svelte";

export type Grip = "translate" | "rotate";

const touchedColour = 0xd03a3a;
const quick = 40; // ms within which most plans are there: the handle that is dragged is drawn with the new motion, or alone if that takes longer
const leastBar = 54; // px, the height of the bar with a plan, which there is not at first
const rest = 60; // ms without a newer plan until tree and swept volume are drawn: while something is dragged only the motion is

export class PlanView {
  readonly scene: Scene;
  private readonly obstacles = new Obstacles(() => this.scene.invalidate());
  private readonly marks: Marks;
  private readonly points = new Points();
  private readonly goalMaterial = ghostMaterial(0.5);
  private readonly ghostLook = ghostMaterial(0.55);
  private readonly carried = new Obstacles(() => this.scene.invalidate(), this.ghostLook); // with the ghost
  private readonly touchedMaterial = new THREE.MeshLambertMaterial({ color: touchedColour, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8 }); // before the other end's body
  private readonly handle: TransformControls;
  private readonly grip = new THREE.Object3D();
  private readonly ends: (() => void)[] = [];
  private edited: End = "goal";
  private toolLink: string;
  private selected = "";
  private shown: Partial<Drawn> = {};
  private readonly swept = new Swept();
  private painted = "";
  private later: ReturnType<typeof setTimeout> | undefined;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private drawn: (() => void) | null = null;
  private readonly framed = new THREE.Box3(); // what the camera was fitted to

  private constructor(
    private readonly host: HTMLElement,
    readonly models: Record<End | "ghost", RobotModel>,
    private readonly actions: ViewActions,
  ) {
    this.scene = new Scene(host);
    const { start, goal, ghost } = models;
    goal.dress(this.goalMaterial);
    ghost.dress(this.ghostLook);
    ghost.ignoreMouse();
    ghost.object.visible = false;
    this.toolLink = start.hand;
    this.scene.scene.add(start.object, goal.object, ghost.object, this.obstacles.group, this.carried.group, this.swept.group, this.grip);
    start.object.updateMatrixWorld(true);
    this.scene.frameBox(start.box());
    this.obstacles.large = 1.2 * this.scene.size;
    this.marks = new Marks(this.scene.size);
    this.scene.scene.add(this.marks.group, this.points.group);
    this.handle = new TransformControls(this.scene.camera, this.scene.canvas);
    this.handle.setSize(0.7);
    this.handle.attach(this.grip);
    this.scene.scene.add(this.handle.getHelper());
    this.handle.addEventListener("change", () => (this.handle.dragging ? this.drawHandleSoon() : this.scene.invalidate()));
    this.handle.addEventListener("dragging-changed", (e) => this.dragging(e.value === true));
    this.handle.addEventListener("objectChange", () => this.gripped());
    for (const end of ["start", "goal"] as const) {
      this.ends.push(
        dragJoints(this.scene, models[end], {
          hover: (joint) => this.edited === end && actions.hover(joint),
          move: (joint, position) => actions.moveJoint(end, joint, position),
          allowed: () => this.edited === end && this.handle.axis === null && this.selected === "" && !this.shown.program,
        }),
      );
    }
    this.ends.push(
      pickObstacles(this.scene, this.obstacles, [start.object, goal.object], {
        select: actions.select,
        allowed: () => this.handle.axis === null && this.points.pressed === "",
      }),
    );
    this.ends.push(this.points.pick(this.scene, actions.selectPoint, () => this.handle.axis === null), moveAtOnce(this.scene.canvas, () => this.handle.dragging));
    this.scene.afterDrawing(() => {
      const f = this.drawn;
      this.drawn = null;
      f?.();
    });
    this.recolour(host);
  }

  /** Opens a view of a robot in an element. */
  static async open(host: HTMLElement, urdf: string, actions: ViewActions): Promise<PlanView> {
    const [start, goal, ghost] = await Promise.all([RobotModel.load(urdf), RobotModel.load(urdf), RobotModel.load(urdf)]);
    return new PlanView(host, { start, goal, ghost }, actions);
  }

  /** The end that is edited. */
  set end(end: End) {
    this.edited = end;
    this.place();
  }

  set tool(link: string) {
    this.toolLink = link;
    this.place();
  }

  get tool(): string {
    return this.toolLink;
  }

  set mode(mode: Grip) {
    this.handle.setMode(mode);
    this.scene.invalidate();
  }

  /** Draws a problem and its plan, what has changed of it. Done is called when the picture is drawn. */
  show(d: Drawn, done?: () => void): void {
    const { shown, models } = this;
    this.shown = d;
    if (d.start !== shown.start) models.start.move(named(d, d.start));
    if (d.goal !== shown.goal) models.goal.move(named(d, d.goal));
    models.goal.object.visible = d.start.some((q, i) => Math.abs(q - (d.goal[i] ?? q)) > 1e-6) || (this.edited === "goal" && d.program === null);
    models.ghost.object.visible = d.ghost !== null;
    if (d.ghost !== null) models.ghost.move(named(d, d.ghost));
    this.carried.show(d.ghost === null ? [] : d.carried.map((c) => placed(c, models.ghost)), "", new Set());
    if ((d.plan !== null && !shown.plan) || d.start !== shown.start || (d.program === null) !== (shown.program === null)) this.fit(d);
    this.selected = d.selected;
    const why = d.plan?.why;
    const touched = new Set((why?.contacts ?? []).flatMap((c) => [c.a, c.b]));
    this.obstacles.show(d.objects, d.selected, touched);
    const paint = (): void => this.paint(touched, why?.end ?? (why?.kind === "start" ? "start" : "goal"), why?.joint);
    if (d.plan !== shown.plan) {
      this.marks.show(d.plan);
      paint();
    }
    if (d.pairs !== shown.pairs) this.marks.showDistances(d.pairs);
    if (d.shapes !== shown.shapes) void this.draw(d, paint);
    if (d.plan !== shown.plan || d.tree !== shown.tree || d.swept !== shown.swept) this.drawLater(d);
    if (d.program !== shown.program) this.points.show(d.program?.points ?? [], d.program?.selected ?? "", d.program?.wrong ?? new Set(), this.scene.size);
    this.place();
    if (done === undefined) return this.handle.dragging ? this.drawHandleSoon() : this.scene.invalidate();
    this.drawn = done;
    clearTimeout(this.soon);
    this.soon = undefined;
    this.scene.drawNow();
  }

  /**
   * Fits the camera to start, goal, obstacles and the hand's way, above the bar at the bottom: at first, and again when the first way or a start that
   * follows a running robot leaves the picture, unless the camera was turned.
   */
  private fit(d: Drawn): void {
    const { framed, scene, models } = this;
    const first = framed.isEmpty();
    if (!first && (this.handle.dragging || !scene.atViewpoint)) return;
    scene.covered = 10 + Math.max(leastBar, this.host.parentElement?.querySelector<HTMLElement>(":scope > [role=status]")?.offsetHeight ?? 0);
    const all = around(models.start.box().union(models.goal.box()), d.objects, d.plan?.hand ?? []);
    if (!first && framed.containsBox(all)) return;
    scene.frameBox(framed.union(all));
    if (first) this.marks.size = scene.size;
  }

  /** Draws the chosen shapes of the robot, once they are loaded. */
  private async draw(d: Drawn, paint: () => void): Promise<void> {
    await Promise.all(Object.values(this.models).map((model) => model.show(d.shapes)));
    if (d.shapes !== this.shown.shapes) return;
    this.painted = "";
    paint();
    this.drawLater(this.shown as Drawn);
    this.scene.invalidate();
  }

  private drawHandleSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.scene.invalidate();
    }, quick);
  }

  /** Draws the tree and the swept volume once no newer plan has come for a while; until then none. */
  private drawLater(d: Drawn): void {
    clearTimeout(this.later);
    if (!d.swept) this.swept.show(this.models.ghost, []);
    if (d.tree === null) this.marks.showTree([]);
    if (!d.swept && d.tree === null) return;
    this.later = setTimeout(() => {
      this.marks.showTree(d.tree ?? []);
      const q = d.swept && d.plan?.why === null ? d.plan.q : [];
      if (d.swept) this.swept.show(this.models.ghost, between(q.length, copies).map((k) => named(d, q[k] ?? [])));
      if (d.ghost !== null) this.models.ghost.move(named(d, d.ghost));
      this.scene.invalidate();
    }, rest);
  }

  recolour(host: HTMLElement): void {
    const colour = (name: string): string => getComputedStyle(host).getPropertyValue(name).trim();
    this.goalMaterial.color.set(colour("--accent"));
    this.ghostLook.color.set(colour("--s3"));
    this.swept.material.color.set(colour("--s3"));
    this.marks.accent = colour("--s2");
    this.points.colour = colour("--accent");
    this.scene.recolour();
  }

  dispose(): void {
    clearTimeout(this.later);
    clearTimeout(this.soon);
    for (const end of this.ends) end();
    this.points.dispose();
    this.handle.detach();
    this.handle.dispose();
    this.scene.dispose();
  }

  /** Draws the bodies of links that touch, and those that a joint carries, in red: at the end where the reason lies. */
  private paint(touched: Set<string>, end: End, joint?: string): void {
    const key = [end, joint, ...touched].join(" ");
    if (key === this.painted) return;
    this.painted = key;
    for (const name of ["start", "goal"] as const) this.models[name].dress(name === "goal" ? this.goalMaterial : null);
    const model = this.models[end];
    const carriers = [...touched].flatMap((link) => model.object.links[link] ?? []).map((link) => model.jointOf(link));
    const moved = joint === undefined ? undefined : model.object.joints[joint];
    if (moved !== undefined) carriers.push(moved);
    if (carriers.length === 0) return;
    model.object.traverse((o) => {
      if (!(o instanceof THREE.Mesh)) return;
      const shape = colliderOf(o); // of one link, whereas a visual is merged with those that it moves with
      const link = joint === undefined ? shape?.parent?.name : undefined;
      if (link === undefined ? carriers.includes(model.jointOf(o)) : touched.has(link)) o.material = this.touchedMaterial;
    });
  }

  /** The selected point of the program. */
  private get point(): ProgramPoint | undefined {
    const { program } = this.shown;
    return program?.points.find((p) => keyOf(p) === program.selected);
  }

  /** Moves the handle to what is edited. */
  private place(): void {
    if (this.handle.dragging) return;
    const body = this.obstacles.group.children.find((g) => g.name === this.selected);
    const point = this.point;
    const free = !this.shown.program || this.selected !== "" || (point !== undefined && point.fixed === "");
    this.handle.enabled = this.handle.getHelper().visible = free;
    if (this.selected !== "" && body !== undefined) {
      this.grip.position.copy(body.position);
      this.grip.quaternion.copy(body.quaternion);
    } else if (point !== undefined) {
      this.grip.position.fromArray(point.pose.p);
      this.grip.quaternion.fromArray(point.pose.q);
    } else {
      const pose = this.models[this.edited].pose(this.toolLink);
      if (pose === null) return;
      this.grip.position.copy(pose.position);
      this.grip.quaternion.copy(pose.quaternion);
    }
    this.grip.updateMatrixWorld();
    this.scene.invalidate();
  }

  private dragging(on: boolean): void {
    this.scene.controls.enabled = !on;
    const { selected, point } = this;
    if (on && selected !== "") this.actions.grabObstacle();
    else if (on && point !== undefined) this.actions.grabPoint();
    if (on) return;
    if (selected === "" && point !== undefined) this.actions.dropPoint();
    else if (selected === "") this.actions.dropHand();
    this.place();
  }

  private gripped(): void {
    const [p, q] = [this.grip.position.toArray(), this.grip.quaternion.clone().normalize().toArray() as Quaternion];
    if (this.selected !== "") return this.actions.moveObstacle(this.selected, p, q);
    if (this.point !== undefined) return this.actions.movePoint(p, q);
    const free = this.handle.mode === "translate" && this.models.start.chain(this.toolLink).moving < 6; // fewer joints cannot keep the orientation
    this.actions.moveHand(this.edited, free ? { p } : { p, q });
  }
}

function ghostMaterial(opacity: number): THREE.MeshLambertMaterial {
  return new THREE.MeshLambertMaterial({ transparent: true, opacity, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
}
