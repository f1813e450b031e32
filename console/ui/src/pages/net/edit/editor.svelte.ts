// The net while it is edited: the files of a system, one of them open, and what the console says to it.
import { SvelteMap } from "svelte/reactivity";
import type { Link } from "../../../lib/link";
import type { Block, BlockType, NetFileInfo, NetText, Port, Value } from "../../../lib/wire";
import { compose } from "./compose";
import { Draft } from "./draft.svelte";
import { flat, portOf } from "./flat";
import { goneBlocks, lost, scriptOf } from "./lost";
import { blocksOf, find, givenTo, read, shortName, type FileBlock, type FileGroup } from "./netfile";
import { faultOf, placeAt, type Fault } from "./places";

const checkAfter = 400; // ms without a change
const mostFiles = 40; // that are read for the ports of groups

export class Editor {
  files = $state.raw<NetFileInfo[]>([]);
  types = $state.raw<BlockType[]>([]);
  /** What the console finds wrong with the system as it would be with this text. */
  faults = $state.raw<Fault[]>([]);
  checking = $state(false);
  /** What the last step has changed elsewhere in the file, because of other names. */
  followed = $state.raw<string[]>([]);
  private current = $state.raw<Draft>();
  private readonly drafts = new SvelteMap<string, Draft>();
  private readonly panels = new SvelteMap<string, Value>();

  readonly text = $derived(this.current?.text ?? "");
  readonly path = $derived(this.current?.path ?? "");
  readonly file = $derived(this.current?.file ?? read(""));
  /** Blocks of the system's other files, where this one is put over a base or includes others. */
  readonly others = $derived.by(() => this.blocksElsewhere());
  /** The threads of the whole system. */
  readonly threads = $derived([...new Map([...this.drafts.values()].flatMap((d) => d.file.threads).map((t) => [t.name, t])).values()]);
  readonly dirty = $derived(this.current?.dirty ?? false);
  readonly canUndo = $derived(this.current?.canUndo ?? false);
  readonly canRedo = $derived(this.current?.canRedo ?? false);
  /** The net as the file says, in the form in which a running one is drawn. */
  readonly structure = $derived(compose(this.file, { typeOf: (b) => this.typeOf(b), fileOf: (g) => this.fileOf(g)?.file, elsewhere: (name) => this.others.get(name) }));
  /** What is wrong, by block and by link "a.out -> b.in". */
  readonly marks = $derived.by(() => this.placed());
  private readonly gone = $derived(this.current ? goneBlocks(this.current.savedFile, this.file) : []);
  readonly lost = $derived(lost(this.gone, this.panels, scriptOf(this.drafts.get(this.files[0]?.file ?? this.path)?.file ?? this.file)));

  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Types as they are under the parameters of a block. */
  private readonly described = new Map<string, BlockType>();
  private readonly asked = new Set<string>();
  private descriptions = $state(0); // how often some came
  private gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly link: Link,
    private readonly system: string,
    /** blocks of the running system, for types that the console does not know */
    private readonly running: () => Block[],
  ) {}

  /** Reads the files and the palette. Returns whether a draft that was never saved goes on. */
  async open(path?: string): Promise<boolean> {
    const [net, types] = await Promise.all([this.link.request("net.get", { system: this.system }), this.link.request("types", { system: this.system })]);
    this.types = types;
    this.files = net.files?.length ? net.files : [{ file: net.file, name: net.file, kind: "system", groups: [] }];
    this.drafts.clear();
    this.drafts.set(net.file, this.draftOf(net.file, net));
    await Promise.all(this.files.slice(0, mostFiles).map((f) => this.load(f.file).catch(() => undefined)));
    void this.readPanels();
    await this.turnTo(path !== undefined && this.drafts.has(path) ? path : net.file);
    return this.current?.goesOn ?? false;
  }

  /** Opens another file of the system. What is not saved of this one waits. */
  async turnTo(path: string): Promise<void> {
    this.current = await this.load(path);
    this.faults = [];
    this.followed = [];
    this.changed();
  }

  /** The file that a block or group of the drawing is read from, where that is another. */
  fileBehind(name: string): string | undefined {
    const item = find(this.file, name);
    if (!item) return this.files.find((f) => f.name === this.others.get(name)?.file)?.file;
    return "include" in item ? this.fileOf(item)?.path : undefined;
  }

  /** Whether a file has changes that are not saved. */
  isDirty(path: string): boolean {
    return this.drafts.get(path)?.dirty ?? false;
  }

  /** The file of a group that is not written in this one. */
  fileOf(g: FileGroup): Draft | undefined {
    let scope = g.scope;
    while (scope.parent) scope = scope.parent;
    const path = [...this.drafts.values()].find((d) => d.file === scope)?.path ?? this.path;
    const roots = this.rootsOf(path);
    const names = roots.length === 0 ? [g.name] : roots.map((r) => `${r}.${g.name}`);
    const info = this.files.find((f) => f.file !== path && f.groups.some((name) => names.includes(name)));
    return info && this.drafts.get(info.file);
  }

  /** Makes a text the present one; the one before can be had back. */
  apply(text: string, followed: string[] = []): void {
    if (!this.current?.apply(text)) return;
    this.followed = followed;
    this.changed();
  }

  undo(): void {
    this.followed = [];
    this.current?.undo();
    this.changed();
  }

  redo(): void {
    this.current?.redo();
    this.changed();
  }

  /** Gives up all of this file that is not saved. */
  async discard(): Promise<void> {
    this.current?.forget();
    this.drafts.delete(this.path);
    await this.turnTo(this.path);
  }

  /** Writes the file; the console refuses what could not be loaded, and what somebody else has changed meanwhile. */
  async save(): Promise<void> {
    const draft = this.current;
    if (!draft) return;
    draft.written(await this.link.request("net.put", { system: this.system, ...draft.writing }));
    const files = (await this.link.request("net.get", { system: this.system })).files; // other groups, perhaps
    if (files?.length) this.files = files;
  }

  /** Why two ports cannot be linked; "" where they can. */
  refusal(from: Port, to: Port, toRef: string): string {
    const kinds: Record<string, string> = { output: "input", event: "handler" };
    if (kinds[from.kind] !== to.kind) return `an ${from.kind} cannot be linked to ${to.kind === "input" ? "an input" : `a ${to.kind}`}`;
    if (from.type !== "" && to.type !== "" && from.type !== to.type) return `${from.type} does not fit ${to.type}`;
    if (to.kind === "input" && flat(this.file).links.some((l) => portOf(l.to) === toRef)) return `${toRef} is linked already`;
    return "";
  }

  /** A name for a new block of a scope that nothing there has yet. */
  freeName(type: string, scope: string): string {
    const stem = shortName(type).replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
    const s = this.file.scopes.find((x) => x.path === scope) ?? this.file;
    const taken = new Set([...s.blocks, ...s.groups].map((b) => shortName(b.name)));
    for (let i = 1; ; i++) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
  }

  typeOf(b: FileBlock): BlockType | undefined {
    void this.descriptions;
    const known = this.described.get(keyOf(b)) ?? this.types.find((t) => t.type === b.type);
    const like = known ? undefined : this.running().find((x) => x.type === b.type);
    return known ?? (like && { ...like, ports: (like.ports ?? []).map(({ from: _, ...p }) => p) });
  }

  private read(path: string): Promise<NetText> {
    return this.link.request("net.get", { system: this.system, ...(path === this.files[0]?.file ? {} : { file: path }) });
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
    return new Draft(this.system, net, roots.length === 0 ? "" : roots.length === 1 ? roots[0] + "." : undefined);
  }

  /** The groups that a file is: none for a file that describes systems. */
  private rootsOf(path: string): string[] {
    const info = this.files.find((f) => f.file === path);
    return info?.kind === "group" ? info.groups : [];
  }

  private async readPanels(): Promise<void> {
    const names = await this.link.request("panels.list", { system: this.system }).catch((): string[] => []);
    for (const name of names) {
      const panel = await this.link.request("panels.get", { system: this.system, name }).catch(() => undefined);
      if (panel) this.panels.set(name, panel.panel);
    }
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
    let faults: Fault[];
    try {
      faults = p ? [{ file: path, ...p }] : ((await this.link.request("net.check", { system: this.system, file: path, text })).errors ?? []).map((e) => faultOf(e, path));
    } catch (e) {
      faults = [{ file: "", line: 0, column: 0, text: e instanceof Error ? e.message : String(e) }];
    }
    if (text !== this.text || path !== this.path) return;
    this.faults = faults;
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
    const found = await this.link.request("types", { system: this.system, type: b.type, params: givenTo(b) }).catch(() => []);
    if (!found[0]) return;
    this.described.set(key, found[0]);
    this.gathering ??= setTimeout(() => { // those of many blocks come one by one, and the net is drawn once
      this.gathering = undefined;
      this.descriptions++;
    }, 50);
  }
}

function keyOf(b: FileBlock): string {
  return b.type + JSON.stringify(givenTo(b));
}
