// The net editor's selection and its actions. Each action is one undoable step.
import { visible } from "../graph";
import type { PortHit } from "../hit";
import type { NetEditor } from "./editor.svelte";
import { flat, linkProblem } from "./flat";
import { copy, freeName, paste } from "./fragment";
import { areSiblings, group, ungroup } from "./group";
import { move } from "./move";
import { blocksOf, enclosingGroup, find, groupsOf, read, scopeAt, shortName, type FileBlock, type FileGroup } from "./netfile";
import { isSeveral } from "./list";
import { repeats } from "./range";
import { chained } from "./renamed";
import { addBlock, addLink, remove, removeLinks, rename } from "./patch";
import type { EditResult } from "./refs";

/** A drawn link: full names of its ends. */
export interface Ends {
  from: string;
  to: string;
}

const openAtFirst = 40; // blocks; nets up to this size start with all groups open

export class NetSelection {
  /** Blocks and groups by full name. */
  selected = $state.raw<ReadonlySet<string>>(new Set());
  links = $state.raw<Ends[]>([]);
  /** Open groups; undefined: all or none, depending on the net's size. */
  private openGroups = $state.raw<Set<string>>();

  readonly inlineGroups = $derived.by(() => groupsOf(this.editor.file).filter((g) => g.inner).map((g) => g.name));
  readonly open = $derived.by(() => this.openGroups ?? new Set(this.editor.structure.blocks.length <= openAtFirst ? this.inlineGroups : []));
  readonly graph = $derived.by(() => visible(this.editor.structure, this.open, true));
  /** Selected names that exist. */
  readonly names = $derived.by(() => [...this.selected].filter((n) => find(this.editor.file, n)));
  readonly block = $derived.by((): FileBlock | undefined => {
    const one = this.names.length === 1 ? find(this.editor.file, this.names[0] ?? "") : undefined;
    return one && "type" in one ? one : undefined;
  });
  readonly group = $derived.by((): FileGroup | undefined => {
    const one = this.names.length === 1 ? find(this.editor.file, this.names[0] ?? "") : undefined;
    return one && "include" in one ? one : undefined;
  });
  /** Scope of new blocks: the selected group, or the group around the selection. */
  readonly target = $derived.by(() => (this.group?.inner && this.open.has(this.group.name) ? this.group.name : enclosingGroup(this.names[0] ?? "")));
  readonly canGroup = $derived.by(() => areSiblings(this.names));
  readonly canUngroup = $derived.by(() => this.names.length > 0 && this.names.every((n) => this.inlineGroups.includes(n)));

  constructor(
    readonly editor: NetEditor,
    private readonly notify: (text: string, bad?: boolean) => void,
  ) {}

  select(name: string, more = false): void {
    const next = new Set(more ? this.selected : []);
    if (name !== "" && !next.delete(name)) next.add(name);
    this.selected = next;
    this.links = [];
  }

  /** Selects the given names that are at the outermost level among them. */
  selectAll(names: string[], more = false): void {
    const least = Math.min(...names.map((n) => n.split(".").length));
    this.selected = new Set([...(more ? this.selected : []), ...names.filter((n) => n.split(".").length === least)]);
    this.links = [];
  }

  /** Selects everything in the selection's group; without a selection, everything outside groups. */
  selectBeside(): void {
    const scope = enclosingGroup(this.names[0] ?? "");
    this.selectAll([...this.graph.nodes.keys()].filter((n) => enclosingGroup(n) === scope));
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

  /** Clears selection and open groups, for another file. */
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

  /** Returns why two ports cannot be linked; "" if they can. */
  linkProblem(from: PortHit, to: PortHit): string {
    const [a, b] = [from.node.outputs[from.row]?.port, to.node.inputs[to.row]?.port];
    return a && b ? linkProblem(this.editor.file, a, b, refOf(to)) : "this row represents several ports: open the group, or add the link by name";
  }

  connect(from: PortHit, to: PortHit): void {
    const problem = this.linkProblem(from, to);
    if (problem) this.notify(problem, true);
    else this.link(refOf(from), refOf(to));
  }

  /** Links two ports by their full names. */
  link(from: string, to: string): void {
    this.editor.apply(addLink(this.editor.file, from, to));
  }

  /** Removes the selection. */
  remove(): void {
    if (this.links.length > 0) {
      const chosen = flat(this.editor.file).links.filter((l) => this.links.some((x) => x.from === l.from && x.to === l.to));
      this.editor.apply(removeLinks(this.editor.file, chosen.map((l) => l.link)));
    } else if (this.names.length > 0) this.editor.apply(remove(this.editor.file, this.names));
    this.select("");
  }

  /** Returns why an action cannot be done with ranges, and with the links of ranges where it moves them; "" if it can. */
  private rangeProblem(action: string, names: string[], moves: boolean): string {
    const within = (ref: string): boolean => names.some((n) => ref.startsWith(n + "."));
    const name = names.find(repeats) ?? blocksOf(this.editor.file).map((b) => b.name).find((b) => within(b) && repeats(b));
    if (name !== undefined) return `${name} is a range: ${action} it in the file's text`;
    const link = !moves ? undefined : flat(this.editor.file).links.find((l) => [l.from, l.to].some(within) && (repeats(l.link.from) || repeats(l.link.to) || isSeveral(l.link.text)))?.link;
    return link ? `${link.text} is ${isSeveral(link.text) ? "several links" : "a range"}: ${action} its blocks in the file's text` : "";
  }

  /** Reports whether an action is refused because of ranges, and notifies the user of it. */
  private refused(action: string): boolean {
    const problem = this.rangeProblem(action, this.names, true);
    if (problem) this.notify(problem, true);
    return problem !== "";
  }

  rename(name: string, to: string): void {
    this.editor.apply(rename(this.editor.file, name, to));
    this.select(enclosingGroup(name) === "" ? to : `${enclosingGroup(name)}.${to}`);
  }

  /** Groups the selection. */
  makeGroup(name: string): void {
    if (this.refused("group")) return;
    const path = enclosingGroup(this.names[0] ?? "");
    const full = path === "" ? name : `${path}.${name}`;
    const open = this.open;
    this.editor.apply(group(this.editor.file, this.names, name));
    this.openGroups = new Set([...[...open].map((g) => (this.names.includes(g) ? `${full}.${shortName(g)}` : g)), full]);
    this.select(full);
  }

  /** Moves the selection into a group; "" is outside all groups. */
  moveTo(scope: string): void {
    if (!this.canGroup) return this.notify("Blocks in different groups cannot be moved together.", true);
    if (this.refused("move")) return;
    const done = move(this.editor.file, this.names, scope);
    this.editor.apply(done);
    this.selected = new Set(done.names);
  }

  /** Groups that the selection can be moved to. */
  readonly targetGroups = $derived.by(() => ["", ...this.inlineGroups].filter((g) => !this.names.some((n) => g === n || g.startsWith(n + "."))));

  /** Dissolves the selected groups. */
  ungroup(): void {
    if (this.refused("ungroup")) return;
    const before = new Set(this.editor.structure.blocks.map((b) => b.name));
    let all: EditResult = { text: this.editor.text, notes: [], renamed: new Map() };
    for (const name of this.names) {
      const done = ungroup(read(all.text, this.editor.file.prefix), name);
      all = { text: done.text, notes: [...all.notes, ...done.notes], renamed: chained(all.renamed, done.renamed) };
    }
    this.editor.apply(all);
    this.selectAll(this.editor.structure.blocks.map((b) => b.name).filter((n) => !before.has(n)));
  }

  /** Returns the selection as text for the clipboard; "" if it cannot be copied. */
  copied(): string {
    if (this.names.length === 0 || this.refused("copy")) return "";
    if (areSiblings(this.names)) return copy(this.editor.file, this.names);
    this.notify("Blocks in different groups cannot be copied together.", true);
    return "";
  }

  paste(text: string, scope = this.target): void {
    const done = paste(this.editor.file, scope, text);
    if (done.names.length === 0) return this.notify("The clipboard contains no blocks.", true);
    this.editor.apply(done.text);
    this.selected = new Set(done.names);
    this.links = [];
  }

  duplicate(): void {
    const text = this.copied();
    if (text !== "") this.paste(text, enclosingGroup(this.names[0] ?? ""));
  }

  /** Returns an unused name for a group of the selection. */
  freeGroupName(): string {
    const scope = enclosingGroup(this.names[0] ?? "");
    const taken = new Set([...this.editor.file.scopes.flatMap((s) => [...s.blocks, ...s.groups])].filter((x) => enclosingGroup(x.name) === scope).map((x) => shortName(x.name)));
    return freeName(taken, "group1");
  }

  /** Returns why a name cannot be used in a scope; "" if it can. */
  nameFault(name: string, scope: string, now = ""): string {
    const full = scope === "" ? name : `${scope}.${name}`;
    const ranges = now === "" || now === full ? "" : this.rangeProblem("rename", [now], false);
    if (ranges !== "") return ranges;
    if (full !== now && find(this.editor.file, full)) return `${name} already exists`;
    return /^[\p{L}\d_][\p{L}\d_-]*$/u.test(name) ? "" : "a name may contain only letters, digits, _ and -";
  }
}

function refOf(p: PortHit): string {
  return `${p.node.id}.${(p.outgoing ? p.node.outputs : p.node.inputs)[p.row]?.port?.name ?? ""}`;
}
