// The net while it is edited: the text of the system file, every step of it, and what the console says to it.
import { SvelteMap } from "svelte/reactivity";
import type { Link } from "../../../lib/link";
import type { Block, BlockType, FileError, Port, Structure } from "../../../lib/wire";
import { isOutgoing, splitRef } from "../graph";
import { read, type FileBlock } from "./netfile";

const checkAfter = 400; // ms without a change
const mostSteps = 500; // to be undone

export class Editor {
  text = $state("");
  path = $state("");
  /** What the console finds wrong with the text. */
  errors = $state.raw<FileError[]>([]);
  checking = $state(false);
  types = $state.raw<BlockType[]>([]);
  saved = $state("");
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);

  readonly file = $derived(read(this.text));
  readonly dirty = $derived(this.text !== this.saved);
  readonly canUndo = $derived(this.past.length > 0);
  readonly canRedo = $derived(this.future.length > 0);
  /** The net as the file says, in the form in which a running one is shown. */
  readonly structure = $derived.by(() => this.compose());

  private version = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Types as they are under the parameters of a block. */
  private readonly described = new SvelteMap<string, BlockType>();
  private readonly asked = new Set<string>();
  private readonly draftKey: string;

  constructor(
    private readonly link: Link,
    private readonly system: string,
    /** blocks of the running system, for types that the console does not know */
    private readonly running: () => Block[],
  ) {
    this.draftKey = `sinew.draft.${system}`;
  }

  /** Reads the file and the palette. Returns whether a draft that was never saved goes on. */
  async open(): Promise<boolean> {
    const [net, types] = await Promise.all([this.link.request("net.get", { system: this.system }), this.link.request("types", { system: this.system })]);
    this.types = types;
    this.path = net.file;
    this.saved = net.text;
    this.version = net.version;
    const draft = JSON.parse(sessionStorage.getItem(this.draftKey) ?? "null") as { text: string; version: string } | null;
    const goesOn = draft !== null && draft.text !== net.text;
    this.text = goesOn ? draft.text : net.text;
    if (goesOn) this.version = draft.version;
    this.changed();
    return goesOn;
  }

  /** Makes a text the present one; the one before can be had back. */
  apply(text: string): void {
    if (text === this.text) return;
    this.past = [...this.past, this.text].slice(-mostSteps);
    this.future = [];
    this.text = text;
    this.changed();
  }

  undo(): void {
    const before = this.past.at(-1);
    if (before === undefined) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.text];
    this.text = before;
    this.changed();
  }

  redo(): void {
    const next = this.future.at(-1);
    if (next === undefined) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.text];
    this.text = next;
    this.changed();
  }

  /** Gives up all that is not saved. */
  async discard(): Promise<void> {
    sessionStorage.removeItem(this.draftKey);
    this.past = [];
    this.future = [];
    await this.open();
  }

  /** Writes the file; the console refuses what could not be loaded, and what somebody else has changed meanwhile. */
  async save(): Promise<void> {
    const net = await this.link.request("net.put", { system: this.system, text: this.text, version: this.version });
    this.version = net.version;
    this.saved = net.text;
    this.text = net.text;
    sessionStorage.removeItem(this.draftKey);
  }

  /** Why two ports cannot be linked; "" where they can. */
  refusal(from: Port, to: Port, toRef: string): string {
    const kinds: Record<string, string> = { output: "input", event: "handler" };
    if (kinds[from.kind] !== to.kind) return `an ${from.kind} cannot be linked to ${to.kind === "input" ? "an input" : `a ${to.kind}`}`;
    if (from.type !== "" && to.type !== "" && from.type !== to.type) return `${from.type} does not fit ${to.type}`;
    if (to.kind === "input" && this.file.links.some((l) => l.to === toRef)) return `${toRef} is linked already`;
    return "";
  }

  /** A name for a new block that nothing has yet. */
  freeName(type: string): string {
    const stem = (type.split(".").at(-1) ?? type).replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
    const taken = new Set([...this.file.blocks, ...this.file.groups].map((b) => b.name));
    for (let i = 1; ; i++) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
  }

  typeOf(b: FileBlock): BlockType | undefined {
    return this.described.get(keyOf(b)) ?? this.types.find((t) => t.type === b.type);
  }

  private changed(): void {
    if (this.dirty) sessionStorage.setItem(this.draftKey, JSON.stringify({ text: this.text, version: this.version }));
    else sessionStorage.removeItem(this.draftKey);
    for (const b of this.file.blocks) if (Object.keys(b.params).length > 0) void this.describe(b);
    clearTimeout(this.timer);
    this.checking = true;
    this.timer = setTimeout(() => void this.check(), checkAfter);
  }

  private async check(): Promise<void> {
    const text = this.text;
    const p = read(text).problem;
    try {
      const errors = p ? [p] : ((await this.link.request("net.check", { system: this.system, text })).errors ?? []);
      if (text !== this.text) return;
      this.errors = errors;
    } catch (e) {
      this.errors = [{ line: 0, column: 0, text: e instanceof Error ? e.message : String(e) }];
    }
    this.checking = false;
  }

  private async describe(b: FileBlock): Promise<void> {
    const key = keyOf(b);
    if (this.asked.has(key)) return;
    this.asked.add(key);
    const found = await this.link.request("types", { system: this.system, type: b.type, params: b.params }).catch(() => []);
    if (found[0]) this.described.set(key, found[0]);
  }

  private compose(): Structure {
    const f = this.file;
    const from = new Map(f.links.map((l) => [l.to.replace(/\[[^\]]*\]$/, ""), l.from]));
    const only = f.threads.length === 1 ? (f.threads[0]?.name ?? "") : "";
    const blocks = f.blocks.map((b): Block => {
      const t = this.typeOf(b);
      const like = t ? undefined : (this.running().find((x) => x.name === b.name && x.type === b.type) ?? this.running().find((x) => x.type === b.type));
      const ports = t?.ports ?? like?.ports?.map(({ from: _, ...p }) => p) ?? this.portsInLinks(b.name);
      return {
        name: b.name,
        type: b.type,
        thread: b.thread || only,
        ports: ports.map((p) => ({ ...p, ...withFrom(from.get(`${b.name}.${p.name}`)) })),
        params: t?.params ?? like?.params ?? [],
        operations: t?.operations ?? [],
        ...(t || this.types.length === 0 ? {} : { fault: `no type ${b.type} is registered` }),
      };
    });
    const groups = f.groups.map((g): Block => ({ name: g.name, type: `group of ${g.include}`, thread: "", ports: this.portsInLinks(g.name), params: [], operations: [] }));
    return {
      system: this.system,
      file: this.path,
      pid: 0,
      processes: [],
      threads: f.threads.map((t) => ({ name: t.name, period_s: 0, priority: 0 })),
      blocks: [...groups, ...blocks],
      links: f.links.map((l) => ({ from: l.from, to: l.to, delay: l.delay, every: l.every > 1 ? l.every : 0 })),
    };
  }

  /** The ports of what is not known otherwise, as a group: those that links name. Their types are not known. */
  private portsInLinks(name: string): Port[] {
    const ports = new Map<string, Port>();
    for (const l of this.file.links) {
      for (const [ref, kind] of [
        [l.from, "output"],
        [l.to, "input"],
      ] as const) {
        const { block, port } = splitRef(ref);
        if (block === name) ports.set(port, { name: port, kind, type: "" });
      }
    }
    return [...ports.values()].sort((a, b) => Number(isOutgoing(a)) - Number(isOutgoing(b)));
  }
}

function withFrom(from: string | undefined): { from?: string } {
  return from === undefined ? {} : { from };
}

function keyOf(b: FileBlock): string {
  return b.type + JSON.stringify(b.params);
}
