// The tree of a system: groups, blocks, ports, parameters and operations, flattened into visible rows.
import type { Block, Operation, Param, Port, Structure } from "../../lib/wire";

export interface Node {
  /** Unique in the tree; the full reference for groups, blocks, ports, parameters and operations. */
  id: string;
  label: string;
  kind: "group" | "block" | "param" | "operation" | Port["kind"];
  children: Node[];
  block?: Block;
  param?: Param;
  port?: Port;
  operation?: Operation;
  /** lower-case text for the search */
  text: string;
}

export interface Row {
  node: Node;
  depth: number;
  open: boolean;
}

/** How blocks are ordered. */
export type Order = "group" | "thread";

export function build(s: Structure, order: Order): Node[] {
  const roots: Node[] = [];
  const groups = new Map<string, Node>();

  function group(path: string[], prefix: string): Node[] {
    let list = roots;
    let id = prefix;
    for (const label of path) {
      id += (id === prefix ? "" : ".") + label;
      let g = groups.get(id);
      if (!g) {
        g = { id, label, kind: "group", children: [], text: label.toLowerCase() };
        groups.set(id, g);
        list.push(g);
      }
      list = g.children;
    }
    return list;
  }

  const ports = new Map((s.groups ?? []).map((g) => [g.name, g.ports ?? []]));

  for (const b of s.blocks) {
    if (order === "thread") {
      const process = s.processes.length > 1 && b.process ? [b.process] : [];
      group([...process, b.thread], "thread ").push(blockNode(b, b.name));
    } else {
      const path = b.name.split(".");
      const label = path.pop() ?? b.name;
      group(path, "").push(blockNode(b, label));
    }
  }
  for (const [id, g] of groups) g.children.push(...(ports.get(id) ?? []).map((port) => portNode(id, port)));
  return roots;
}

function portNode(owner: string, port: Port): Node {
  return { id: `${owner}.${port.name}`, label: port.name, kind: port.kind, children: [], port, text: `${port.name} ${port.half ?? ""} ${port.doc ?? ""}`.toLowerCase() };
}

function blockNode(b: Block, label: string): Node {
  const child = (name: string, doc: string | undefined, rest: Pick<Node, "kind"> & Partial<Node>): Node => ({
    id: `${b.name}.${name}`,
    label: name,
    children: [],
    block: b,
    text: `${name} ${doc ?? ""}`.toLowerCase(),
    ...rest,
  });
  return {
    id: b.name,
    label,
    kind: "block",
    block: b,
    text: `${b.name} ${b.type} ${b.fault ?? ""}`.toLowerCase(),
    children: [
      ...(b.params ?? []).map((param) => child(param.name, param.doc, { kind: "param", param })),
      ...(b.ports ?? []).filter((p) => p.name !== "enable").map((port) => ({ ...portNode(b.name, port), block: b })),
      ...(b.operations ?? []).map((operation) => child(operation.name, operation.doc, { kind: "operation", operation })),
    ],
  };
}

/** Returns the visible rows: open nodes, or with a query the matching nodes with their ancestors. */
export function rows(roots: Node[], open: Set<string>, query: string): Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const list: Row[] = [];
  const add = (node: Node, depth: number): void => {
    const isOpen = open.has(node.id);
    list.push({ node, depth, open: isOpen });
    if (isOpen) for (const c of node.children) add(c, depth + 1);
  };
  /** Adds matching nodes below a node; path is the text of its ancestors. */
  const search = (node: Node, depth: number, path: string): boolean => {
    const text = path + " " + node.text;
    const at = list.length;
    const here = words.every((w) => text.includes(w)) && words.some((w) => node.text.includes(w));
    const row = { node, depth, open: false };
    list.push(row);
    let below = false;
    for (const c of node.children) below = search(c, depth + 1, text) || below;
    row.open = below;
    if (!here && !below) list.length = at;
    return here || below;
  };
  for (const n of roots) {
    if (words.length > 0) search(n, 0, "");
    else add(n, 0);
  }
  return list;
}

/** Returns the ids of the groups and blocks above a node. */
export function ancestorsOf(roots: Node[], id: string): string[] {
  for (const n of roots) {
    if (n.id === id) return [];
    const below = n.children.length > 0 ? find(n, id) : undefined;
    if (below) return below;
  }
  return [];
}

function find(n: Node, id: string): string[] | undefined {
  for (const c of n.children) {
    if (c.id === id) return [n.id];
    const below = find(c, id);
    if (below) return [n.id, ...below];
  }
  return undefined;
}

/** Returns all blocks of a group. */
export function blocksBelow(n: Node): Block[] {
  return n.children.flatMap((c) => (c.kind === "block" && c.block ? [c.block] : c.kind === "group" ? blocksBelow(c) : []));
}
