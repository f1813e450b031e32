// The boxes of the running net that were placed by hand, with an undo history. Each change is saved shortly after it was made.
import type { App } from "../../lib/app.svelte";
import { isChangedOnDisk, messageOf } from "../../lib/errors";
import type { FileLayout } from "../../lib/layouts";
import type { Places } from "./layout";
import { homeOf, placesIn, textOf } from "./layouts";

const saveAfter = 400; // ms after the last change
const mostSteps = 100; // in the undo history

type Boxes = FileLayout["boxes"];

export class Placements {
  layouts = $state.raw<FileLayout[]>([]);
  /** A save that was rejected because its file has changed. */
  conflict = $state.raw<{ layout: FileLayout; theirs: string } | null>(null);
  private undoStack = $state.raw<FileLayout[][]>([]);
  private redoStack = $state.raw<FileLayout[][]>([]);
  /** Boxes on disk and their version, by file. */
  private saved = new Map<string, { boxes: Boxes; version: string }>();
  private system = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();

  readonly places = $derived(placesIn(this.layouts));

  constructor(private readonly app: App) {}

  /** Reads the layouts of a system, unless changes are not saved yet. A system without a file has none. */
  async load(system: string): Promise<void> {
    if (system === this.system && this.isDirty) return;
    if (system !== this.system) this.forget(system);
    const { layouts } = await this.app.client.request("layout.get", { system }).catch(() => ({ layouts: [] }));
    if (system !== this.system || this.isDirty) return;
    const differs = JSON.stringify(layouts) !== JSON.stringify(this.layouts);
    this.saved = new Map(layouts.map((l) => [l.file, { boxes: l.boxes, version: l.version }]));
    if (differs) [this.layouts, this.undoStack, this.redoStack] = [layouts, [], []];
  }

  /** Whether a box can be placed: its layout can be read, and the user may write it. */
  get canPlace(): boolean {
    return this.app.can("tune") && this.layouts.length > 0 && this.layouts.every((l) => !l.problem) && (this.app.can("own") || this.layouts.some((l) => l.version !== "absent"));
  }

  /** Places boxes, by full name. */
  place(moved: Places): void {
    let layouts = this.layouts;
    for (const [box, { x, y }] of moved) {
      const home = homeOf(layouts, box);
      layouts = layouts.map((l) => (l === home?.layout ? { ...l, boxes: { ...l.boxes, [home.name]: [x, y] } } : l));
    }
    this.change(layouts);
  }

  /** Removes all places: the net is arranged automatically. */
  clear(): void {
    this.change(this.layouts.map((l) => ({ ...l, boxes: {} })));
  }

  undo(): boolean {
    const before = this.undoStack.at(-1);
    if (!before) return false;
    [this.undoStack, this.redoStack] = [this.undoStack.slice(0, -1), [...this.redoStack, this.layouts]];
    this.take(before);
    return true;
  }

  redo(): boolean {
    const next = this.redoStack.at(-1);
    if (!next) return false;
    [this.redoStack, this.undoStack] = [this.redoStack.slice(0, -1), [...this.undoStack, this.layouts]];
    this.take(next);
    return true;
  }

  /** Saves what has changed; with overwrite also over another operator's change. */
  save(overwrite = false): Promise<void> {
    clearTimeout(this.timer);
    this.conflict = null;
    const { system, saved } = this;
    const changed = this.layouts.filter((l) => this.differs(l));
    return (this.saving = this.saving.then(async () => {
      for (const l of changed) await this.write(system, l, saved, overwrite);
    }));
  }

  /** Discards what is not saved, and reads the layouts again. */
  async reload(): Promise<void> {
    const { system } = this;
    this.layouts = [];
    this.forget("");
    await this.load(system);
  }

  private forget(system: string): void {
    if (this.isDirty) void this.save();
    [this.system, this.layouts, this.undoStack, this.redoStack, this.conflict] = [system, [], [], [], null];
    this.saved = new Map();
  }

  private get isDirty(): boolean {
    return this.layouts.some((l) => this.differs(l));
  }

  private differs(l: FileLayout): boolean {
    return textOf(l.boxes) !== textOf(this.saved.get(l.file)?.boxes ?? {});
  }

  private change(layouts: FileLayout[]): void {
    this.undoStack = [...this.undoStack, this.layouts].slice(-mostSteps);
    this.redoStack = [];
    this.take(layouts);
  }

  private take(layouts: FileLayout[]): void {
    this.layouts = layouts;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), saveAfter);
  }

  private async write(system: string, l: FileLayout, saved: Placements["saved"], overwrite: boolean): Promise<void> {
    try {
      const { version } = await this.app.client.request("layout.put", { system, file: l.file, boxes: l.boxes, version: overwrite ? "" : (saved.get(l.file)?.version ?? "") });
      saved.set(l.file, { boxes: l.boxes, version });
    } catch (e) {
      if (isChangedOnDisk(e) && system === this.system) return this.ask(l);
      this.app.notify(messageOf(e), true);
      if (system === this.system) await this.reload(); // what is shown is what is saved
    }
  }

  /** Asks what to do about a layout that has changed on disk. */
  private async ask(layout: FileLayout): Promise<void> {
    const { layouts } = await this.app.client.request("layout.get", { system: this.system }).catch(() => ({ layouts: [] }));
    this.conflict = { layout, theirs: textOf(layouts.find((l) => l.file === layout.file)?.boxes ?? {}) };
  }
}
