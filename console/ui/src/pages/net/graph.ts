// The visible part of a net: blocks, open and closed groups, and the links between them.
import type { Foreign } from "../../lib/foreign";
import type { Call } from "../../lib/exchange";
import type { Block, NetLink, Port, Structure } from "../../lib/wire";

/** A block of the drawing. The editor also draws a group with its own file as a block. */
export interface DrawnBlock extends Block {
  /** file of a group drawn as a block */
  file?: string;
  /** a program in another language */
  foreign?: boolean;
}

export interface DrawnNet extends Structure {
  blocks: DrawnBlock[];
}

/** A box with ports: a block or a group. */
export interface GraphNode {
  id: string;
  label: string;
  block: DrawnBlock | undefined; // undefined for a group
  parent: GraphNode | undefined;
  /** contents of an open group */
  children: GraphNode[];
  open: boolean;
  inputs: Row[];
  outputs: Row[];
  /** number of blocks in a group, and of those in error */
  count: number;
  faults: number;
}

/** A port of the drawing. A closed group has one row on each side, for all its ports. */
export interface Row {
  port: Port | undefined; // undefined: the row of a closed group, or of the ports beyond mostRows
  label: string;
}

/** A visible link: several links of the net if a closed group hides their ends. Or the calls of one box to another, which begin and end in their titles. */
export interface GraphEdge {
  id: string;
  from: GraphNode;
  fromRow: number;
  to: GraphNode;
  toRow: number;
  links: NetLink[];
  calls: Call[];
}

export interface Graph {
  roots: GraphNode[];
  nodes: Map<string, GraphNode>;
  edges: GraphEdge[];
}

const titleRow = -1; // where calls begin and end
const mostRows = 32; // per block; further ports share the last row

/** Splits "block.port[0,2]" into block, port and elements. */
export function splitRef(ref: string): { block: string; port: string; elements: string } {
  const [, block = "", port = ref, elements = ""] = /^(.*)\.([^.[]+)(\[.*\])?$/s.exec(ref) ?? [];
  return { block, port, elements };
}

/** Returns the names of all groups of a net. */
export function groupsOf(s: Structure): string[] {
  const all = new Set<string>((s.groups ?? []).map((g) => g.name));
  for (const b of s.blocks) for (let at = b.name.indexOf("."); at >= 0; at = b.name.indexOf(".", at + 1)) all.add(b.name.slice(0, at));
  return [...all];
}

/** Adds the programs in other languages to the blocks of a running net. */
export function withForeign(s: Structure): DrawnNet {
  const drawn = (f: Foreign): DrawnBlock => {
    const process = s.processes.find((p) => p.name === f.process);
    const fault = process?.problem === undefined || process.problem === "" ? {} : { fault: process.problem };
    return { name: f.name, type: `program · ${process?.state ?? "state unknown"}`, process: f.process, thread: "", state: "running", foreign: true, ports: f.ports.map((p) => ({ ...p, type: "" })), params: [], operations: [], ...fault };
  };
  return { ...s, blocks: [...s.blocks, ...(s.foreign ?? []).map(drawn)] };
}

/** Builds the visible part of a net with the given open groups. With everyPort, blocks also show unlinked ports. */
export function visible(s: DrawnNet, open: Set<string>, everyPort = false): Graph {
  const nodes = new Map<string, GraphNode>();
  const roots: GraphNode[] = [];
  const shown = new Map<string, GraphNode>(); // by block name: its box, or the closed group that hides it
  const linked = new Set(s.links.flatMap((l) => [l.from, l.to].map((r) => r.replace(/\[[^\]]*\]$/, ""))));

  for (const g of s.groups ?? []) groupsAround(g.name + "."); // includes groups without blocks
  for (const b of s.blocks) shown.set(b.name, place(b));
  return { roots, nodes, edges: [...edges(s.links, shown), ...callEdges(s.calls ?? [], shown)] };

  /** Adds the groups around a block, up to the first closed one. */
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

  /** Adds a block unless a closed group hides it; returns the box that represents it. */
  function place(b: DrawnBlock): GraphNode {
    const groups = groupsAround(b.name);
    const parent = groups.at(-1);
    for (const g of groups) {
      g.count++;
      if (b.fault) g.faults++;
    }
    if (parent && !parent.open) return parent;
    const isLinked = (p: Port): boolean => linked.has(`${b.name}.${p.name}`);
    const rows = (outgoing: boolean): Row[] => rowsOf((b.ports ?? []).filter((p) => isOutgoing(p) === outgoing && (isLinked(p) || (p.by_hand && p.name !== "enable") || (everyPort && p.name !== "enable"))), isLinked);
    return add({ id: b.name, label: b.name.slice((parent?.id.length ?? -1) + 1), block: b, parent, children: [], open: false, inputs: rows(false), outputs: rows(true), count: 1, faults: b.fault ? 1 : 0 });
  }

  function add(n: GraphNode): GraphNode {
    nodes.set(n.id, n);
    (n.parent?.children ?? roots).push(n);
    return n;
  }
}

/** Reports whether data leave a block through a port. */
export function isOutgoing(p: Port): boolean {
  return p.kind === "output" || p.kind === "event";
}

/** Returns the rows of ports; if there are too many, linked ports come first. */
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
    if (!from || !to || (from === to && !from.block)) continue; // inside a closed group, or an end is missing
    const fromRow = rowOf(from.outputs, a.port);
    const toRow = rowOf(to.inputs, b.port);
    const id = `${from.id}:${fromRow}>${to.id}:${toRow}`;
    const e = all.get(id);
    if (e) e.links.push(l);
    else all.set(id, { id, from, fromRow, to, toRow, links: [l], calls: [] });
  }
  return [...all.values()];
}

function callEdges(calls: Call[], shown: Map<string, GraphNode>): GraphEdge[] {
  const all = new Map<string, GraphEdge>();
  for (const c of calls) {
    const [from, to] = [shown.get(c.block), shown.get(c.peer)];
    if (!from || !to || from === to) continue;
    const id = `${from.id} calls ${to.id}`;
    const e = all.get(id);
    if (e) e.calls.push(c);
    else all.set(id, { id, from, fromRow: titleRow, to, toRow: titleRow, links: [], calls: [c] });
  }
  return [...all.values()];
}

function rowOf(rows: Row[], port: string): number {
  const i = rows.findIndex((r) => r.port?.name === port);
  return i >= 0 ? i : Math.max(0, rows.length - 1);
}
