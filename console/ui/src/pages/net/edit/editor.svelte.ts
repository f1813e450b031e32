// The net editor's state: the files of a system, the open one, and the errors that the console finds.
import { SvelteMap } from "svelte/reactivity";
import type { Client } from "../../../lib/client";
import type { FileLayout } from "../../../lib/layouts";
import { Turns } from "../../../lib/turns";
import type { Block, BlockType, NetFileInfo, NetText } from "../../../lib/wire";
import { checked } from "./checked";
import { compose } from "./compose";
import { Draft } from "./draft.svelte";
import { dangling, misplaced, movesIn, removedBlocks, scriptOf } from "./dangling";
import { blocksOf, find, ofNet, resolvedParams, read, shortName, type FileBlock, type FileGroup } from "./netfile";
import { followingNotes, moveInPanels, readPanels } from "./panels";
import { boxesOf, textOf } from "../layouts";
import type { Places } from "../layout";
import { placeAt, type Fault } from "./places";
import type { EditResult } from "./refs";
import { inverse, renamedOf, still, type Moves } from "./renamed";

const checkAfter = 400; // ms after the last change
const mostFiles = 40; // read for the ports of groups

export class NetEditor {
  files = $state.raw<NetFileInfo[]>([]);
  types = $state.raw<BlockType[]>([]);
  /** Errors of the system with the edited text, as checked by the console. */
  faults = $state.raw<Fault[]>([]);
  /** Notices of that system: no errors, but possibly not wanted. */
  notices = $state.raw<Fault[]>([]);
  checking = $state(false);
  /** References elsewhere in the file that the last step updated because of renamed blocks. */
  alsoChanged = $state.raw<string[]>([]);
  private current = $state.raw<Draft>();
  private readonly drafts = new SvelteMap<string, Draft>();
  private panels = $state.raw(new Map<string, { yaml: string; version: string }>());
  private layouts: FileLayout[] = [];

  readonly text = $derived(this.current?.text ?? "");
  readonly path = $derived(this.current?.path ?? "");
  readonly file = $derived(this.current?.file ?? read(""));
  /** Blocks of the system's other files, if this file extends a base or includes others. */
  readonly others = $derived.by(() => this.blocksElsewhere());
  /** The threads of the whole system. */
  readonly threads = $derived([...new Map([...this.drafts.values()].flatMap((d) => d.file.threads).map((t) => [t.name, t])).values()]);
  /** Boxes of the open file that were placed by hand. */
  readonly places: Places = $derived(this.current?.places ?? new Map());
  /** The layout of the open file, as it was read; undefined if the console has none. */
  readonly layout = $derived(this.current?.layout);
  readonly dirty = $derived(this.current?.dirty ?? false);
  readonly canUndo = $derived(this.current?.canUndo ?? false);
  readonly canRedo = $derived(this.current?.canRedo ?? false);
  /** The net defined by the file, in the form of a running net. */
  readonly structure = $derived(compose(this.file, { typeOf: (b) => this.typeOf(b), fileOf: (g) => this.fileOf(g)?.file, elsewhere: (name) => this.others.get(name) }));
  /** Error messages, by block and by link "a.out -> b.in". */
  readonly marks = $derived.by(() => this.placed());
  private readonly removed = $derived(this.current ? removedBlocks(this.current.savedFile, this.file) : []);
  /** Blocks and groups that a save renames or dissolves, by names in the system. */
  private readonly moves: Moves = $derived(this.current ? movesIn(this.current.savedFile, this.file, this.current.renamed, this.rootsOf(this.path)) : still);
  /** Panels that follow renamed blocks and dissolved groups when the file is saved. */
  readonly following = $derived(followingNotes(this.panels, this.moves));
  /** Names used by panels and the script that no longer exist. */
  readonly dangling = $derived(dangling(this.removed, this.moves.blocks, new Map([...this.panels].map(([name, p]) => [name, p.yaml])), scriptOf(this.drafts.get(this.files[0]?.file ?? this.path)?.file ?? this.file)));

  private readonly absent = $derived(this.file.problem ? [] : misplaced(this.places.keys(), this.structure));
  /** Names that the file's layout had when it was opened, of boxes that the net does not have. Saving removes others. */
  readonly misplaced = $derived(this.absent.filter((name) => this.current?.isForeign(name)));

  private readonly saves = new Turns();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Types by block type and parameters. */
  private readonly described = new Map<string, BlockType>();
  private readonly asked = new Set<string>();
  private descriptions = $state(0); // counts updates of described
  private batch: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    private readonly system: string,
    /** blocks of the running system, for types unknown to the console */
    private readonly running: () => Block[],
  ) {}

  /** Loads the files and the palette. Reports whether unsaved changes were restored. */
  async open(path?: string): Promise<boolean> {
    const [net, types] = await Promise.all([this.client.request("net.get", { system: this.system }), this.client.request("types", { system: this.system })]);
    this.types = types;
    this.files = net.files?.length ? ofNet(net.files) : [{ file: net.file, name: net.file, kind: "system", groups: [] }];
    await this.readLayouts();
    this.drafts.clear();
    this.drafts.set(net.file, this.draftOf(net.file, net));
    await Promise.all(this.files.slice(0, mostFiles).map((f) => this.load(f.file).catch(() => undefined)));
    void readPanels(this.client, this.system).then((panels) => (this.panels = panels), () => undefined);
    await this.switchTo(path !== undefined && this.drafts.has(path) ? path : net.file);
    return this.current?.restored ?? false;
  }

  /** Opens another file of the system; unsaved changes of the current file are kept. */
  async switchTo(path: string): Promise<void> {
    this.current = await this.load(path);
    this.faults = [];
    this.alsoChanged = [];
    this.changed();
  }

  /** Returns the path of the file that defines a block or group, if it is another file. */
  definingFile(name: string): string | undefined {
    const item = find(this.file, name);
    if (!item) return this.files.find((f) => f.name === this.others.get(name)?.file)?.file;
    return "include" in item ? this.fileOf(item)?.path : undefined;
  }

  /** Reports whether a file has unsaved changes. */
  isDirty(path: string): boolean {
    return this.drafts.get(path)?.dirty ?? false;
  }

  /** Returns the file of an included group. */
  fileOf(g: FileGroup): Draft | undefined {
    let scope = g.scope;
    while (scope.parent) scope = scope.parent;
    const path = [...this.drafts.values()].find((d) => d.file === scope)?.path ?? this.path;
    const roots = this.rootsOf(path);
    const names = roots.length === 0 ? [g.name] : roots.map((r) => `${r}.${g.name}`);
    const info = this.files.find((f) => f.file !== path && f.groups.some((name) => names.includes(name)));
    return info && this.drafts.get(info.file);
  }

  /** Returns the port of the running system that a port of the edited net was saved as; "" if there is none. */
  runningRef(ref: string, ports: ReadonlyMap<string, unknown>): string {
    const { prefix, renamed } = this.current ?? {};
    if (prefix === undefined || renamed === undefined) return "";
    const saved = prefix + renamedOf(inverse(renamed), ref);
    return ports.has(saved) ? saved : "";
  }

  /** Sets the text as one undoable step. */
  apply(step: string | EditResult): void {
    const { text, notes, renamed } = typeof step === "string" ? { text: step, notes: [], renamed: undefined } : step;
    if (!this.current?.apply(text, renamed)) return;
    this.alsoChanged = notes;
    this.changed();
  }

  /** Places boxes as one undoable step. */
  place(moved: Places): void {
    this.current?.place(new Map([...this.places, ...moved]));
  }

  /** Removes the places of boxes, by default of all, as one undoable step. */
  arrange(names = [...this.places.keys()]): void {
    this.current?.place(new Map([...this.places].filter(([name]) => !names.includes(name))));
  }

  undo(): void {
    this.alsoChanged = [];
    this.current?.undo();
    this.changed();
  }

  redo(): void {
    this.current?.redo();
    this.changed();
  }

  /** Discards the unsaved changes of the open file. */
  async discard(): Promise<void> {
    this.current?.forget();
    this.drafts.delete(this.path);
    await this.readLayouts();
    await this.switchTo(this.path);
  }

  /** Saves the file, the panels that use renamed blocks, and the places of boxes. The console rejects a file with errors, and an outdated version. */
  save(overwrite = false): Promise<void> {
    return this.saves.run(async () => {
      const draft = this.current;
      if (!draft) return;
      const removed = this.absent.filter((name) => !draft.isForeign(name));
      if (removed.length > 0) this.arrange(removed);
      if (draft.textDirty) await this.saveText(draft, overwrite);
      if (!draft.placesDirty) return;
      const { args, saved } = draft.savingBoxes();
      saved((await this.client.request("layout.put", { system: this.system, ...args, ...(overwrite && { version: "" }) })).version);
    });
  }

  private async saveText(draft: Draft, overwrite: boolean): Promise<void> {
    const { moves } = this;
    const { args, saved } = draft.savingText();
    saved(await this.client.request("net.put", { system: this.system, ...args, ...(overwrite && { version: "" }) }));
    const files = (await this.client.request("net.get", { system: this.system })).files; // the set of included files may have changed
    if (files?.length) this.files = ofNet(files);
    await moveInPanels(this.client, this.system, moves);
    this.panels = await readPanels(this.client, this.system);
  }

  /** Returns what a rejected save would replace, as it is on disk and as it is edited: the file, or its layout. */
  async conflict(): Promise<{ name: string; theirs: string; mine: string }> {
    const draft = this.current;
    if (!draft || draft.textDirty) return { name: this.path, theirs: (await this.read(this.path)).text, mine: this.text };
    await this.readLayouts();
    const now = this.layouts.find((l) => l.file === draft.path);
    return { name: now?.name ?? "layout", theirs: textOf(now?.boxes ?? {}), mine: textOf(boxesOf(draft.places)) };
  }

  /** Returns an unused name for a new block in a scope. */
  freeName(type: string, scope: string): string {
    const stem = shortName(type).replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
    const { blocks, groups } = this.file.scopes.find((x) => x.path === scope) ?? this.file;
    const taken = new Set([...blocks, ...groups].map((b) => shortName(b.name)));
    for (let i = 1; ; i++) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
  }

  typeOf(b: FileBlock): BlockType | undefined {
    void this.descriptions;
    const known = this.described.get(keyOf(b)) ?? this.types.find((t) => t.type === b.type);
    const like = known ? undefined : this.running().find((x) => x.type === b.type);
    return known ?? (like && { ...like, ports: (like.ports ?? []).map(({ from: _, ...p }) => p) });
  }

  private read(path: string): Promise<NetText> {
    return this.client.request("net.get", { system: this.system, ...(path === this.files[0]?.file ? {} : { file: path }) });
  }

  private async readLayouts(): Promise<void> {
    this.layouts = (await this.client.request("layout.get", { system: this.system }).catch(() => ({ layouts: [] }))).layouts;
  }

  private async load(path: string): Promise<Draft> {
    const known = this.drafts.get(path);
    if (known) return known;
    const draft = this.draftOf(path, await this.read(path));
    this.drafts.set(path, draft);
    for (const b of blocksOf(draft.file)) void this.describe(b);
    return draft;
  }

  private draftOf(path: string, net: NetText): Draft {
    const roots = this.rootsOf(path);
    return new Draft(this.system, net, roots.length === 0 ? "" : roots.length === 1 ? roots[0] + "." : undefined, this.layouts.find((l) => l.file === path));
  }

  /** Returns the groups that include a file; empty for a file that defines systems. */
  private rootsOf(path: string): string[] {
    const info = this.files.find((f) => f.file === path);
    return info?.kind === "group" ? info.groups : [];
  }

  private changed(): void {
    for (const b of blocksOf(this.file)) void this.describe(b);
    clearTimeout(this.timer);
    this.checking = true;
    this.timer = setTimeout(() => void this.check(), checkAfter);
  }

  private async check(): Promise<void> {
    const { path, text } = this;
    const p = this.file.problem;
    const { faults, notices } = p ? { faults: [{ file: path, ...p }], notices: [] } : await checked(this.client, this.system, path, text);
    if (text !== this.text || path !== this.path) return;
    [this.faults, this.notices] = [faults, notices];
    this.checking = false;
  }

  private blocksElsewhere(): Map<string, { block: FileBlock; file: string }> {
    const all = new Map<string, { block: FileBlock; file: string }>();
    if (this.current?.prefix !== "") return all;
    for (const f of this.files) {
      const draft = f.file === this.path || f.kind === "group" ? undefined : this.drafts.get(f.file);
      for (const block of draft ? blocksOf(draft.file) : []) if (block.type !== "") all.set(block.name, { block, file: f.name });
    }
    return all;
  }

  private placed(): Map<string, string> {
    const marks = new Map<string, string>();
    const put = (key: string, text: string): void => void marks.set(key, marks.has(key) ? `${marks.get(key) ?? ""}; ${text}` : text);
    for (const e of this.faults) {
      const at = e.file === this.path && e.line > 0 ? placeAt(this.file, e.line) : undefined;
      if (at) put(at.link ?? at.block, e.text);
    }
    return marks;
  }

  private async describe(b: FileBlock): Promise<void> {
    const key = keyOf(b);
    if (Object.keys(b.params).length === 0 || this.asked.has(key)) return;
    this.asked.add(key);
    const found = await this.client.request("types", { system: this.system, type: b.type, params: resolvedParams(b) }).catch(() => []);
    if (!found[0]) return;
    this.described.set(key, found[0]);
    this.batch ??= setTimeout(() => { // one redraw for the answers of many blocks
      this.batch = undefined;
      this.descriptions++;
    }, 50);
  }
}

function keyOf(b: FileBlock): string {
  return b.type + JSON.stringify(resolvedParams(b));
}
