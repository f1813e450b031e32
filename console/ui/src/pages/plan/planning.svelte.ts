// The problem that the page shows, and its plan: made again after every change. One request is under way; a change waits for its end, but
// not longer than the request's patience: then it replaces the request.

import type { App } from "../../lib/app.svelte";
import { messageOf } from "../../lib/errors";
import { numbersOf, planOf, type Obstacle, type Plan, type PlanContact, type PlanEntry, type Problem, type Quaternion, type Setting, type Triple } from "../../lib/plans";
import { changed } from "./obstacles";

/** An end of the motion. */
export type End = "start" | "goal";

/** A pose of the hand; without q any orientation is right. */
export interface HandPose {
  p: Triple;
  q?: Quaternion;
}

const patience = 150; // ms for which a request stays under way although there is a newer change
const mostUndo = 100;
const look = 100; // ms between two looks at a tree that grows

/** When the steps to a plan were done, ms; changed is 0 for a plan that no change asked for. */
export interface Times {
  changed: number;
  sent: number;
  answered: number;
}

export class Planning {
  /** The server keeps a plan for each pane. */
  readonly pane: string = Math.random().toString(36).slice(2);
  setting = $state.raw<Setting | null>(null);
  entry = $state.raw<PlanEntry | null>(null);
  /** Why the robot cannot be planned for, or a request failed. */
  problem = $state("");

  start = $state.raw<number[]>([]);
  goal = $state.raw<number[]>([]);
  /** Joints that stay as at the start. */
  held = $state.raw<string[]>([]);
  link = $state("");
  objects = $state.raw<Obstacle[]>([]);
  /** Name of the selected obstacle; "" if none is. */
  selected = $state("");

  planner = $state("");
  engine = $state("");
  seed = $state(0);
  seconds = $state(1);
  acceleration = $state(10);
  jerk = $state(100);
  tree = $state(false);
  distance = $state(true);
  /** Whether the robot is drawn along the motion. */
  swept = $state(false);
  /** Which distances are measured: of the nearest pairs, or of two bodies. */
  measured = $state<"none" | "nearest" | "pair">("none");
  pair = $state.raw<[string, string]>(["", ""]);
  /** The measured pairs, the nearest first. */
  pairs = $state.raw<PlanContact[]>([]);
  /** Whether a slice of the configuration space is shown. */
  slice = $state(false);

  /** The newest answer; it may be of the problem before the last change. */
  plan = $state.raw<Plan | null>(null);
  /** Whether an answer is outstanding. */
  busy = $state(false);
  /** Number of answers so far. */
  made = $state(0);
  /** Of the newest answer. */
  times: Times = { changed: 0, sent: 0, answered: 0 };
  /** Motions that the plan under way has tried so far; null: nothing is drawn while it grows. */
  grown = $state.raw<Float32Array | null>(null);
  /** When the browser has reported what changes the problem now, ms; 0: it did not. */
  inputAt = 0;

  undoable = $state.raw<Obstacle[][]>([]);

  /** Notes of the setting, with that of its start only while it is the start. */
  readonly notes: readonly string[] = $derived.by(() => {
    const s = this.setting;
    return s === null ? [] : s.start_note === "" || this.start !== s.start ? s.notes : [...s.notes, s.start_note];
  });

  private pose: HandPose | null = null; // of the hand at the goal, while it is dragged
  private startPose: HandPose | null = null; // of the hand at the start
  private reaching = false;
  private wanted = false;
  private wantedAt = 0;
  private flights = 0;
  private sent = 0; // when the request under way was sent, ms
  private replacing: ReturnType<typeof setTimeout> | undefined; // a change waits for the patience with the request under way

  constructor(private readonly app: App) {}

  /** Opens a robot. */
  async open(entry: PlanEntry): Promise<void> {
    this.entry = entry;
    this.setting = this.plan = null;
    this.problem = "";
    this.flights++;
    this.busy = false;
    try {
      const s = await this.app.client.request("plan.open", entry);
      if (this.entry !== entry) return;
      [this.start, this.goal, this.objects, this.undoable, this.selected] = [s.start, s.goal, s.objects, [], ""];
      [this.measured, this.pair, this.pairs] = ["none", ["", ""], []];
      [this.planner, this.engine, this.seconds, this.held] = [s.planner, s.engines[0] ?? "", s.seconds, s.held];
      this.setting = s;
    } catch (e) {
      if (this.entry === entry) this.problem = messageOf(e);
    }
  }

  /** Moves one joint of an end; of both ends if it is held. */
  moveJoint(end: End, joint: string, position: number): void {
    const index = this.setting?.joints.indexOf(joint) ?? -1;
    if (index < 0) return;
    for (const e of this.held.includes(joint) ? (["start", "goal"] as const) : [end]) this[e] = this[e].map((q, i) => (i === index ? position : q));
    if (end === "goal") this.pose = null;
    this.replan();
  }

  /** Sets an end. */
  set(end: End, q: number[]): void {
    this[end] = q;
    if (end === "goal") this.pose = null;
    this.replan();
  }

  /** Moves the hand at the goal. */
  moveHand(pose: HandPose): void {
    this.pose = pose;
    this.replan();
  }

  /** Moves the hand at the start; while a request is in flight, only the newest pose is kept. */
  async moveStart(pose: HandPose): Promise<void> {
    this.startPose = pose;
    if (this.reaching) return;
    this.reaching = true;
    while (this.startPose !== null && this.entry !== null) {
      const { entry, link, start, held, startPose } = this;
      this.startPose = null;
      const answer = await this.app.client.request("plan.reach", { ...entry, link, pose: startPose, q: start, held }).catch((e: unknown) => void (this.problem = messageOf(e)));
      if (answer && this.entry === entry) this.set("start", answer.q);
    }
    this.reaching = false;
  }

  /** Ends the drag of the hand: the goal is the configuration that was found. */
  dropHand(): void {
    this.pose = null;
  }

  /** Holds a joint as at the start, or frees it. */
  hold(joint: string, on: boolean): void {
    this.held = on ? [...this.held, joint] : this.held.filter((name) => name !== joint);
    this.pose = null;
    this.replan();
  }

  /** Takes the positions of held joints to the goal. */
  holdGoal(): void {
    this.goal = this.goal.map((q, i) => (this.held.includes(this.setting?.joints[i] ?? "") ? (this.start[i] ?? q) : q));
    this.pose = null;
    this.replan();
  }

  swap(): void {
    [this.start, this.goal] = [this.goal, this.start];
    this.pose = null;
    this.replan();
  }

  /** Changes obstacles; with keep, undo returns to those before. */
  change(objects: Obstacle[], keep = true): void {
    if (keep) this.keep();
    this.objects = objects;
    this.replan();
  }

  /** Keeps the obstacles for undo. */
  keep(): void {
    if (this.undoable.at(-1) !== this.objects) this.undoable = [...this.undoable, this.objects].slice(-mostUndo);
  }

  /** Moves an obstacle, without a step of undo. */
  moveObstacle(name: string, p: Triple, q: Quaternion): void {
    this.change(changed(this.objects, name, { p, q }), false);
  }

  undo(): void {
    const last = this.undoable.at(-1);
    if (last === undefined) return;
    this.undoable = this.undoable.slice(0, -1);
    if (!last.some((o) => o.name === this.selected)) this.selected = "";
    this.change(last, false);
  }

  /** Plans for the first time: its time is not that of a change. */
  begin(): void {
    this.wanted = true;
    void this.send();
  }

  /** Plans again; while a quick request is under way, once for all changes. */
  replan(): void {
    if (this.setting === null || this.link === "") return;
    this.wantedAt ||= this.inputAt || performance.now();
    this.wanted = true;
    this.sendSoon();
  }

  /** Sends the newest change now, or once the request under way has ended or had its time. */
  private sendSoon(): void {
    clearTimeout(this.replacing);
    const left = this.busy ? this.sent + patience - performance.now() : 0;
    if (left <= 0) void this.send();
    else this.replacing = setTimeout(() => this.wanted && this.sendSoon(), left);
  }

  /** Ends the plan under way. */
  cancel(): void {
    this.wanted = false;
    void this.app.client.request("plan.cancel", { pane: this.pane }).catch(() => undefined);
  }

  /** Frees what the server keeps for this pane. */
  close(): void {
    this.flights++;
    [this.wanted, this.busy] = [false, false];
    void this.app.client.request("plan.close", { pane: this.pane }).catch(() => undefined);
  }

  private problemNow(entry: PlanEntry): Problem {
    const { pane, start, goal, link, held, objects, planner, engine, seed, seconds, acceleration, jerk, tree, distance, pose } = this;
    return { ...entry, pane, start, goal, link, held, objects, planner, engine, seed, seconds, acceleration, jerk, tree, distance, ...(pose === null ? {} : { pose }) };
  }

  private async send(): Promise<void> {
    const flight = ++this.flights;
    this.busy = true;
    void this.watchTree(flight);
    while (this.wanted && this.entry !== null) {
      const at = this.wantedAt;
      const pose = this.pose;
      [this.wanted, this.wantedAt, this.sent] = [false, 0, performance.now()];
      try {
        const plan = planOf(await this.app.client.request("plan.make", this.problemNow(this.entry)));
        if (flight !== this.flights) return;
        this.times = { changed: at, sent: this.sent, answered: performance.now() };
        if (pose !== null && this.pose !== null) this.goal = plan.goal;
        else if (pose !== null && !this.wanted) this.goal = plan.goal; // the hand was dropped meanwhile
        [this.plan, this.grown] = [plan, null];
        this.made++;
        this.problem = "";
      } catch (e) {
        if (flight !== this.flights) return;
        this.problem = messageOf(e);
      }
    }
    this.busy = false;
  }

  /** Draws the trees of plans under way while they grow. */
  private async watchTree(flight: number): Promise<void> {
    for (;;) {
      await new Promise((done) => setTimeout(done, look));
      if (flight !== this.flights || !this.busy) return;
      if (!this.tree) continue;
      const reply = await this.app.client.request("plan.grow", { pane: this.pane }).catch(() => null);
      if (flight !== this.flights || !this.busy || reply === null) return;
      if (reply.growing) this.grown = numbersOf(reply.tree);
    }
  }
}
