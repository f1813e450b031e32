// The program that the page edits: its text, the motion that it compiles to, and its file. It is compiled again after every change: one request is under
// way, and the newest change waits for its end.

import type { App } from "../../lib/app.svelte";
import { isChangedOnDisk, messageOf } from "../../lib/errors";
import { noSystem, type Plan, type PlanEntry, type Quaternion, type Triple } from "../../lib/plans";
import { compiledOf, drawnOf, type Compiled, type ProgramFile, type ProgramPoint, type ProgramProblem } from "../../lib/programs";
import type { Planning } from "./planning.svelte";

const mostUndo = 200;
const settle = 400; // ms after the last move of a point until contacts are looked for

/** Names a point of a program. */
export const keyOf = (p: Pick<ProgramPoint, "move" | "via" | "point">): string => `${p.move}${p.via ? "v" : ""}.${p.point}`;

/** Names a point for people. */
export const titleOf = (p: ProgramPoint): string => `${p.via ? "via of " : ""}move ${p.move}${p.kind === "movePath" ? `, waypoint ${p.point + 1}` : ""}`;

/** A text on disk that is not the one that was opened. */
export interface Conflict {
  name: string;
  theirs: string;
  mine: string;
}

export class ProgramEditor {
  files = $state.raw<ProgramFile[]>([]);
  file = $state.raw<ProgramFile | null>(null);
  text = $state("");
  /** The text of the file. */
  saved = $state("");
  compiled = $state.raw<Compiled | null>(null);
  /** Its way and its first mistake, drawn as a plan. */
  drawn = $state.raw<Plan | null>(null);
  /** Why the last request failed, such as a point that is out of reach. */
  problem = $state("");
  /** The selected point; "" if none is. */
  selected = $state("");
  /** Number of answers so far. */
  made = $state(0);
  conflict = $state.raw<Conflict | null>(null);
  undoable = $state.raw<string[]>([]);

  private version = "";
  private readonly wanted: { edit: { point: ProgramPoint; p: Triple; q: Quaternion } | null; free: boolean; any: boolean } = { edit: null, free: false, any: false };
  private busy = false;
  private opened = 0;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    private readonly planning: Planning,
  ) {}

  readonly dirty = $derived(this.text !== this.saved);
  readonly point = $derived(this.compiled?.points.find((p) => keyOf(p) === this.selected) ?? null);
  readonly problems: readonly ProgramProblem[] = $derived(this.compiled?.problems ?? []);

  /** Lists the programs of a robot, and forgets those of another one. */
  async list(entry: PlanEntry): Promise<void> {
    this.close();
    const files = await this.app.attempt(() => this.app.client.request("program.list", entry));
    if (this.planning.entry === entry) this.files = files ?? [];
  }

  /** Opens a file. */
  async open(file: ProgramFile): Promise<void> {
    const { entry } = this.planning;
    if (entry === null) return;
    const opened = ++this.opened;
    await this.app.attempt(async () => {
      const { text, version } = await this.read(entry, file);
      if (opened !== this.opened) return;
      [this.file, this.text, this.saved, this.version, this.undoable, this.selected, this.compiled, this.drawn, this.problem] = [file, text, text, version, [], "", null, null, ""];
      this.compile();
    });
  }

  /** Forgets everything about a robot. */
  close(): void {
    this.opened++;
    [this.files, this.file, this.text, this.saved, this.compiled, this.drawn, this.undoable, this.selected, this.problem, this.conflict] = [[], null, "", "", null, null, [], "", "", null];
  }

  private async read(entry: PlanEntry, file: ProgramFile): Promise<{ text: string; version: string }> {
    return entry.system === noSystem ? this.app.client.request("program.get", { ...entry, file: file.file }) : this.app.client.request("net.get", { system: entry.system, file: file.file });
  }

  /** Sets the text, with a step of undo. */
  write(text: string): void {
    if (text === this.text) return;
    this.keep();
    this.text = text;
    this.compile();
  }

  /** Keeps the text for undo. */
  keep(): void {
    if (this.undoable.at(-1) !== this.text) this.undoable = [...this.undoable, this.text].slice(-mostUndo);
  }

  undo(): void {
    const last = this.undoable.at(-1);
    if (last === undefined) return;
    this.undoable = this.undoable.slice(0, -1);
    this.text = last;
    this.compile();
  }

  /** Moves the selected point to a pose of the tool, without a step of undo. While a request is under way only the newest pose is kept. */
  drag(p: Triple, q: Quaternion): void {
    if (this.point === null) return;
    this.wanted.edit = { point: this.point, p, q };
    this.request(false);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.compile(), settle);
  }

  /** Moves the selected point along one axis, with a step of undo. */
  shift(axis: number, value: number): void {
    const { point } = this;
    if (point === null || !Number.isFinite(value)) return;
    this.keep();
    this.drag(point.pose.p.map((x, i) => (i === axis ? value : x)) as Triple, point.pose.q);
    this.compile();
  }

  /** Compiles the text, and looks for contacts. */
  compile(): void {
    this.request(true);
  }

  private request(free: boolean): void {
    this.wanted.any = true;
    this.wanted.free ||= free;
    if (!this.busy) void this.send();
  }

  private async send(): Promise<void> {
    this.busy = true;
    while (this.wanted.any) {
      const { entry, objects, start } = this.planning;
      const { file, text, opened, wanted } = this;
      const { edit, free } = wanted;
      [wanted.any, wanted.edit, wanted.free] = [false, null, false];
      if (entry === null || file === null) break;
      try {
        const args = { ...entry, file: file.file, text, start, objects, free: free && edit === null };
        const reply = await this.app.client.request("program.compile", edit === null ? args : { ...args, edit: { move: edit.point.move, via: edit.point.via, point: edit.point.point, pose: { p: edit.p, q: edit.q } } });
        if (opened !== this.opened) continue;
        if (this.text !== text) { // edited as text meanwhile
          wanted.any = wanted.free = true;
          continue;
        }
        [this.text, this.problem] = [reply.text, ""];
        this.compiled = compiledOf(reply, start.length);
        this.drawn = drawnOf(this.compiled);
        this.made++;
      } catch (e) {
        if (opened === this.opened) this.problem = messageOf(e);
      }
      if (free && edit !== null) wanted.any = wanted.free = true;
    }
    this.busy = false;
  }

  /** Saves the text; a file that has changed on disk sets conflict. Reports whether it was saved. */
  async save(overwrite = false): Promise<boolean> {
    const { entry } = this.planning;
    const { file, text } = this;
    if (entry === null || file === null) return false;
    this.conflict = null;
    const done = await this.app.attempt(async () => {
      try {
        const args = { file: file.file, text, version: overwrite ? "" : this.version };
        const reply = entry.system === noSystem ? await this.app.client.request("program.put", { ...entry, ...args }) : await this.app.client.request("net.put", { system: entry.system, ...args });
        [this.saved, this.version] = [text, reply.version];
        return true;
      } catch (e) {
        if (!isChangedOnDisk(e)) throw e;
        this.conflict = { name: file.name, theirs: (await this.read(entry, file)).text, mine: text };
        return false;
      }
    });
    if (done) this.app.notify(`Saved ${file.name}.`);
    return done === true;
  }

  /** Opens the file as it is on disk. */
  async reload(): Promise<void> {
    this.conflict = null;
    if (this.file !== null) await this.open(this.file);
  }
}
