// What hands do in the editor: what is selected, and what is done with it. Each deed is one step that can be undone.
import { visible } from "../graph";
import type { PortHit } from "../hit";
import type { Editor } from "./editor.svelte";
import { flat } from "./flat";
import { copy, freeName, paste } from "./fragment";
import { areSiblings, group, ungroup } from "./group";
import { move } from "./move";
import { around, find, groupsOf, read, scopeAt, shortName, type FileBlock, type FileGroup } from "./netfile";
import { addBlock, addLink, remove, removeLinks, rename } from "./patch";
import type { Following } from "./refs";

/** A link as it is drawn: full names. */
export interface Ends {
  from: string;
  to: string;
}

const openAtFirst = 40; // blocks: nets up to this size begin with every group open

export class Workbench {
  /** Blocks and groups by full name. */
  selected = $state.raw<ReadonlySet<string>>(new Set());
  links = $state.raw<Ends[]>([]);
  /** Groups that are drawn open; undefined: as is best for a net of this size. */
  private openGroups = $state.raw<Set<string>>();

  readonly inlineGroups = $derived.by(() => groupsOf(this.editor.file).filter((g) => g.inner).map((g) => g.name));
  readonly open = $derived.by(() => this.openGroups ?? new Set(this.editor.structure.blocks.length <= openAtFirst ? this.inlineGroups : []));
  readonly graph = $derived.by(() => visible(this.editor.structure, this.open, true));
  /** What is selected and there. */
  readonly names = $derived.by(() => [...this.selected].filter((n) => find(this.editor.file, n)));
  readonly block = $derived.by((): FileBlock | undefined => {
    const one = this.names.length === 1 ? find(this.editor.file, this.names[0] ?? "") : undefined;
    return one && "type" in one ? one : undefined;
  });
  readonly group = $derived.by((): FileGroup | undefined => {
    const one = this.names.length === 1 ? find(this.editor.file, this.names[0] ?? "") : undefined;
    return one && "include" in one ? one : undefined;
  });
  /** The scope that new blocks go into: the selected group, or the one around what is selected. */
  readonly target = $derived.by(() => (this.group?.inner && this.open.has(this.group.name) ? this.group.name : around(this.names[0] ?? "")));
  readonly canGroup = $derived.by(() => areSiblings(this.names));
  readonly canUngroup = $derived.by(() => this.names.length > 0 && this.names.every((n) => this.inlineGroups.includes(n)));

  constructor(
    readonly editor: Editor,
    private readonly say: (text: string, bad?: boolean) => void,
  ) {}

  select(name: string, more = false): void {
    const next = new Set(more ? this.selected : []);
    if (name !== "" && !next.delete(name)) next.add(name);
    this.selected = next;
    this.links = [];
  }

  /** Selects what lies side by side in a rectangle: what is in the outermost group alone. */
  selectAll(names: string[], more = false): void {
    const least = Math.min(...names.map((n) => n.split(".").length));
    this.selected = new Set([...(more ? this.selected : []), ...names.filter((n) => n.split(".").length === least)]);
    this.links = [];
  }

  /** All that lies beside the selection; at first all that is outside groups. */
  selectBeside(): void {
    const scope = around(this.names[0] ?? "");
    this.selectAll([...this.graph.nodes.keys()].filter((n) => around(n) === scope));
  }

  chooseLinks(links: Ends[]): void {
    this.selected = new Set();
    this.links = links;
  }

  toggle(name: string): void {
    const next = new Set(this.open);
    if (!next.delete(name)) next.add(name);
    this.openGroups = next;
  }

  openAll(all: boolean): void {
    this.openGroups = new Set(all ? this.inlineGroups : []);
  }

  /** Another file has other names. */
  reset(): void {
    this.selected = new Set();
    this.links = [];
    this.openGroups = undefined;
  }

  add(type: string): void {
    const { editor, target } = this;
    const name = editor.freeName(type, target);
    const beside = scopeAt(editor.file, target)?.blocks[0];
    const thread = (this.block ?? beside)?.thread ?? editor.threads[0]?.name ?? "";
    editor.apply(addBlock(editor.file, target, name, type, editor.threads.length === 1 ? "" : thread));
    this.select(target === "" ? name : `${target}.${name}`);
  }

  refusal(from: PortHit, to: PortHit): string {
    const [a, b] = [from.node.outputs[from.row]?.port, to.node.inputs[to.row]?.port];
    return a && b ? this.editor.refusal(a, b, refOf(to)) : "this row stands for several ports: open the group, or link by name";
  }

  connect(from: PortHit, to: PortHit): void {
    const why = this.refusal(from, to);
    if (why) this.say(why, true);
    else this.link(refOf(from), refOf(to));
  }

  /** Links two ports by their full names. */
  link(from: string, to: string): void {
    this.editor.apply(addLink(this.editor.file, from, to));
  }

  /** Removes all that is selected. */
  remove(): void {
    if (this.links.length > 0) {
      const chosen = flat(this.editor.file).links.filter((l) => this.links.some((x) => x.from === l.from && x.to === l.to));
      this.editor.apply(removeLinks(this.editor.file, chosen.map((l) => l.link)));
    } else if (this.names.length > 0) this.editor.apply(remove(this.editor.file, this.names));
    this.select("");
  }

  rename(name: string, to: string): void {
    this.editor.apply(...stepOf(rename(this.editor.file, name, to)));
    this.select(around(name) === "" ? to : `${around(name)}.${to}`);
  }

  /** Makes the selection a group. */
  makeGroup(name: string): void {
    const path = around(this.names[0] ?? "");
    const full = path === "" ? name : `${path}.${name}`;
    const open = this.open;
    this.editor.apply(...stepOf(group(this.editor.file, this.names, name)));
    this.openGroups = new Set([...[...open].map((g) => (this.names.includes(g) ? `${full}.${shortName(g)}` : g)), full]);
    this.select(full);
  }

  /** Moves the selection into a group; "" is outside all groups. */
  moveTo(scope: string): void {
    if (!this.canGroup) return this.say("Only what lies side by side can move together.", true);
    const done = move(this.editor.file, this.names, scope);
    this.editor.apply(done.text, done.told);
    this.selected = new Set(done.names);
  }

  /** Where the selection could move to. */
  readonly homes = $derived.by(() => ["", ...this.inlineGroups].filter((g) => !this.names.some((n) => g === n || g.startsWith(n + "."))));

  /** Dissolves the selected groups. */
  ungroup(): void {
    const before = new Set(this.editor.structure.blocks.map((b) => b.name));
    const told: string[] = [];
    let text = this.editor.text;
    for (const name of this.names) {
      const done = ungroup(read(text, this.editor.file.prefix), name);
      text = done.text;
      told.push(...done.told);
    }
    this.editor.apply(text, told);
    this.selectAll(this.editor.structure.blocks.map((b) => b.name).filter((n) => !before.has(n)));
  }

  /** The selection as text for the clipboard; "" where it cannot be copied. */
  copied(): string {
    if (this.names.length === 0) return "";
    if (areSiblings(this.names)) return copy(this.editor.file, this.names);
    this.say("Only what lies side by side can be copied together.", true);
    return "";
  }

  paste(text: string, scope = this.target): void {
    const done = paste(this.editor.file, scope, text);
    if (done.names.length === 0) return this.say("The clipboard holds no blocks.", true);
    this.editor.apply(done.text);
    this.selected = new Set(done.names);
    this.links = [];
  }

  duplicate(): void {
    const text = this.copied();
    if (text !== "") this.paste(text, around(this.names[0] ?? ""));
  }

  /** A name for a group that is free beside the selection. */
  freeGroupName(): string {
    const scope = around(this.names[0] ?? "");
    const taken = new Set([...this.editor.file.scopes.flatMap((s) => [...s.blocks, ...s.groups])].filter((x) => around(x.name) === scope).map((x) => shortName(x.name)));
    return freeName(taken, "group1");
  }

  /** Why something cannot be called so; "" where it can. */
  nameFault(name: string, scope: string, now = ""): string {
    const full = scope === "" ? name : `${scope}.${name}`;
    if (full !== now && find(this.editor.file, full)) return `${name} exists already`;
    return /^[\p{L}\d_][\p{L}\d_-]*$/u.test(name) ? "" : "a name has letters, digits, _ and - only";
  }
}

function stepOf(done: Following): [text: string, followed: string[]] {
  return [done.text, done.told];
}

function refOf(p: PortHit): string {
  return `${p.node.id}.${(p.outgoing ? p.node.outputs : p.node.inputs)[p.row]?.port?.name ?? ""}`;
}
