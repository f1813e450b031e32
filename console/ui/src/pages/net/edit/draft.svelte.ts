// A file being edited: its text, the places of its boxes, undo history and saved versions. Unsaved changes survive a reload until the tab is closed.
import type { FileLayout } from "../../../lib/layouts";
import type { NetText } from "../../../lib/wire";
import type { Places } from "../layout";
import { boxesOf, textOf } from "../layouts";
import { followed } from "./follow";
import { find, read } from "./netfile";
import { chained, inverse, type Renamed } from "./renamed";

const mostSteps = 500; // in the undo history

/** A text, the names in it of blocks and groups that the saved file has under other names, and the boxes that were placed by hand. */
interface State {
  text: string;
  renamed: Renamed;
  places: Places;
}

/** The part that is kept over a reload. */
interface Kept {
  text: string;
  renamed: [old: string, now: string][];
  version: string;
  boxes: FileLayout["boxes"];
  layoutVersion: string;
}

export class Draft {
  readonly path: string;
  saved = $state("");
  private savedBoxes = $state.raw<FileLayout["boxes"]>({});
  private now = $state.raw<State>({ text: "", renamed: new Map(), places: new Map() });
  private version: string;
  private layoutVersion: string;
  private undoStack = $state.raw<State[]>([]);
  private redoStack = $state.raw<State[]>([]);

  readonly text = $derived(this.now.text);
  readonly renamed = $derived(this.now.renamed);
  readonly file = $derived.by(() => read(this.text, this.prefix));
  readonly savedFile = $derived.by(() => read(this.saved, this.prefix));
  readonly places = $derived(this.now.places);
  readonly textDirty = $derived(this.text !== this.saved);
  readonly placesDirty = $derived(textOf(boxesOf(this.places)) !== textOf(this.savedBoxes));
  readonly dirty = $derived(this.textDirty || this.placesDirty);
  readonly canUndo = $derived(this.undoStack.length > 0);
  readonly canRedo = $derived(this.redoStack.length > 0);
  /** Whether the text was restored from unsaved changes of an earlier visit. */
  readonly restored: boolean;

  constructor(
    private readonly system: string,
    net: NetText,
    /** prefix of its blocks' names in the system; undefined if it is included as several groups */
    readonly prefix: string | undefined,
    /** the boxes of the file that were placed by hand; undefined if that is unknown */
    readonly layout: FileLayout | undefined,
  ) {
    this.path = net.file;
    this.version = net.version;
    this.saved = net.text;
    this.savedBoxes = layout?.boxes ?? {};
    this.layoutVersion = layout?.version ?? "";
    this.now = { text: net.text, renamed: new Map(), places: placesFrom(this.savedBoxes) };
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null") as Kept | null;
    this.restored = kept !== null && (kept.text !== net.text || textOf(kept.boxes) !== textOf(this.savedBoxes));
    if (!kept || !this.restored) return;
    [this.version, this.layoutVersion] = [kept.version, kept.layoutVersion];
    this.now = { text: kept.text, renamed: new Map(kept.renamed), places: placesFrom(kept.boxes) };
  }

  /** Sets the text, in which blocks may be renamed, as one undoable step; returns false if it is unchanged. */
  apply(text: string, renamed: Renamed = new Map()): boolean {
    if (text === this.text) return false;
    const before = this.file;
    const after = this.places.size > 0 && renamed.size > 0 ? read(text, this.prefix) : before;
    this.push({ text, renamed: chained(this.renamed, renamed), places: followed(this.places, renamed, (g) => find(before, g) !== undefined, (g) => find(after, g) !== undefined) });
    return true;
  }

  /** Reports whether the saved layout places a box that the saved file does not have. */
  isForeign(name: string): boolean {
    return name in this.savedBoxes && !find(this.savedFile, name);
  }

  /** Sets the places of boxes, as one undoable step. */
  place(places: Places): void {
    this.push({ ...this.now, places });
  }

  undo(): void {
    const before = this.undoStack.at(-1);
    if (before === undefined) return;
    this.undoStack = this.undoStack.slice(0, -1);
    this.redoStack = [...this.redoStack, this.now];
    this.set(before);
  }

  redo(): void {
    const next = this.redoStack.at(-1);
    if (next === undefined) return;
    this.redoStack = this.redoStack.slice(0, -1);
    this.undoStack = [...this.undoStack, this.now];
    this.set(next);
  }

  /** Discards the stored unsaved changes. */
  forget(): void {
    sessionStorage.removeItem(this.key);
  }

  /** Begins to save the text: returns the arguments of net.put, and what takes over its answer. Changes made meanwhile stay, unsaved. */
  savingText(): { args: { file: string; text: string; version: string }; saved: (net: NetText) => void } {
    const sent = this.now;
    return {
      args: { file: this.path, text: sent.text, version: this.version },
      saved: (net) => {
        const back = inverse(sent.renamed); // names in the history are then relative to the saved text
        const relative = (s: State): State => ({ ...s, renamed: chained(back, s.renamed) });
        this.undoStack = this.undoStack.map(relative);
        this.redoStack = this.redoStack.map(relative);
        this.version = net.version;
        this.saved = net.text;
        this.set(this.now === sent ? { ...sent, text: net.text, renamed: new Map() } : relative(this.now));
      },
    };
  }

  /** Begins to save the boxes: returns the arguments of layout.put, and what takes over the version in its answer. */
  savingBoxes(): { args: { file: string; boxes: FileLayout["boxes"]; version: string }; saved: (version: string) => void } {
    const boxes = boxesOf(this.places);
    return {
      args: { file: this.path, boxes, version: this.layoutVersion },
      saved: (version) => {
        this.layoutVersion = version;
        this.savedBoxes = boxes;
        this.set(this.now);
      },
    };
  }

  private push(now: State): void {
    this.undoStack = [...this.undoStack, this.now].slice(-mostSteps);
    this.redoStack = [];
    this.set(now);
  }

  private set(now: State): void {
    this.now = now;
    const kept: Kept = { text: now.text, renamed: [...now.renamed], version: this.version, boxes: boxesOf(now.places), layoutVersion: this.layoutVersion };
    if (!this.dirty) this.forget();
    else sessionStorage.setItem(this.key, JSON.stringify(kept));
  }

  private get key(): string {
    return `sinew.draft.${this.system}:${this.path}`;
  }
}

function placesFrom(boxes: FileLayout["boxes"] | undefined): Places {
  return new Map(Object.entries(boxes ?? {}).map(([name, [x, y]]) => [name, { x, y }]));
}
