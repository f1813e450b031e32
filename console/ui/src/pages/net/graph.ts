// The part of a net that is in sight: blocks, groups that are open or closed, and links between those.
import type { Block, NetLink, Port, Structure } from "../../lib/wire";

/** A block as it is drawn: in the editor a group from a file of its own is one, too. */
export interface DrawnBlock extends Block {
  /** of the group that stands there as a block */
  file?: string;
}

export interface DrawnNet extends Structure {
  blocks: DrawnBlock[];
}

/** Something with ports that is drawn as a box: a block, or a group. */
export interface GraphNode {
  id: string;
  label: string;
  block: DrawnBlock | undefined; // undefined: a group
  parent: GraphNode | undefined;
  /** of an open group */
  children: GraphNode[];
  open: boolean;
  inputs: Row[];
  outputs: Row[];
  /** blocks within a group, faults among them */
  count: number;
  faults: number;
}

/** A port as it is drawn. A closed group has one row at each side, for all. */
export interface Row {
  port: Port | undefined; // undefined: all of a closed group, or those for which a block has no room
  label: string;
}

/** A link in sight: several of the net where a closed group hides their ends. */
export interface GraphEdge {
  id: string;
  from: GraphNode;
  fromRow: number;
  to: GraphNode;
  toRow: number;
  links: NetLink[];
}

export interface Graph {
  roots: GraphNode[];
  nodes: Map<string, GraphNode>;
  edges: GraphEdge[];
}

const mostRows = 32; // of a block; the rest share the last one

/** Splits "block.port[0,2]" into block, port and elements. */
export function splitRef(ref: string): { block: string; port: string; elements: string } {
  const [, block = "", port = ref, elements = ""] = /^(.*)\.([^.[]+)(\[.*\])?$/s.exec(ref) ?? [];
  return { block, port, elements };
}

/** Names of all groups of a net. */
export function groupsOf(s: Structure): string[] {
  const all = new Set<string>((s.groups ?? []).map((g) => g.name));
  for (const b of s.blocks) for (let at = b.name.indexOf("."); at >= 0; at = b.name.indexOf(".", at + 1)) all.add(b.name.slice(0, at));
  return [...all];
}

/** Builds what is in sight when some groups are open. With everyPort blocks show the ports without a link, too. */
export function visible(s: DrawnNet, open: Set<string>, everyPort = false): Graph {
  const nodes = new Map<string, GraphNode>();
  const roots: GraphNode[] = [];
  const shown = new Map<string, GraphNode>(); // by block: itself, or the closed group that hides it
  const linked = new Set(s.links.flatMap((l) => [l.from, l.to].map((r) => r.replace(/\[[^\]]*\]$/, ""))));

  for (const g of s.groups ?? []) groupsAround(g.name + "."); // those without blocks, too
  for (const b of s.blocks) shown.set(b.name, place(b));
  return { roots, nodes, edges: edges(s.links, shown) };

  /** Makes the groups around a block, up to the first that is closed. */
  function groupsAround(name: string): GraphNode[] {
    const all: GraphNode[] = [];
    for (let at = name.indexOf("."); at >= 0 && (all.at(-1)?.open ?? true); at = name.indexOf(".", at + 1)) {
      const id = name.slice(0, at);
      const parent = all.at(-1);
      const row = (): Row[] => (open.has(id) ? [] : [{ port: undefined, label: "" }]);
      all.push(nodes.get(id) ?? add({ id, label: id.slice((parent?.id.length ?? -1) + 1), block: undefined, parent, children: [], open: open.has(id), inputs: row(), outputs: row(), count: 0, faults: 0 }));
    }
    return all;
  }

  /** Makes a block, unless a closed group hides it, and tells what stands for it. */
  function place(b: DrawnBlock): GraphNode {
    const groups = groupsAround(b.name);
    const parent = groups.at(-1);
    for (const g of groups) {
      g.count++;
      if (b.fault) g.faults++;
    }
    if (parent && !parent.open) return parent;
    const isLinked = (p: Port): boolean => linked.has(`${b.name}.${p.name}`);
    const rows = (outgoing: boolean): Row[] => rowsOf((b.ports ?? []).filter((p) => isOutgoing(p) === outgoing && (isLinked(p) || (everyPort && p.name !== "enable"))), isLinked);
    return add({ id: b.name, label: b.name.slice((parent?.id.length ?? -1) + 1), block: b, parent, children: [], open: false, inputs: rows(false), outputs: rows(true), count: 1, faults: b.fault ? 1 : 0 });
  }

  function add(n: GraphNode): GraphNode {
    nodes.set(n.id, n);
    (n.parent?.children ?? roots).push(n);
    return n;
  }
}

/** Whether data leave a block by a port. */
export function isOutgoing(p: Port): boolean {
  return p.kind === "output" || p.kind === "event";
}

/** The rows of ports; where there is no room for all, those with links come first. */
function rowsOf(ports: Port[], isLinked: (p: Port) => boolean): Row[] {
  const order = ports.length > mostRows ? [...ports.filter(isLinked), ...ports.filter((p) => !isLinked(p))] : ports;
  const rows: Row[] = order.slice(0, mostRows).map((port) => ({ port, label: port.name }));
  if (ports.length > mostRows) rows.push({ port: undefined, label: `${ports.length - mostRows} more` });
  return rows;
}

function edges(links: NetLink[], shown: Map<string, GraphNode>): GraphEdge[] {
  const all = new Map<string, GraphEdge>();
  for (const l of links) {
    const [a, b] = [splitRef(l.from), splitRef(l.to)];
    const [from, to] = [shown.get(a.block), shown.get(b.block)];
    if (!from || !to || (from === to && !from.block)) continue; // within a closed group, or broken
    const fromRow = rowOf(from.outputs, a.port);
    const toRow = rowOf(to.inputs, b.port);
    const id = `${from.id}:${fromRow}>${to.id}:${toRow}`;
    const e = all.get(id);
    if (e) e.links.push(l);
    else all.set(id, { id, from, fromRow, to, toRow, links: [l] });
  }
  return [...all.values()];
}

function rowOf(rows: Row[], port: string): number {
  const i = rows.findIndex((r) => r.port?.name === port);
  return i >= 0 ? i : Math.max(0, rows.length - 1);
}
