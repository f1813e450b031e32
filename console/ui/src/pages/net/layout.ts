// Where everything in sight is drawn: groups from the inside out, each level in layers; links pass the border of a group at an entry or exit of their own.
import type { Graph, GraphEdge, GraphNode } from "./graph";
import { layered, type Box, type Point } from "./layers";
import type { Arc } from "./order";

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface Route {
  edge: GraphEdge;
  /** begins at the port that it leaves and ends at that at which it arrives; in between two points for each column */
  points: Point[];
}

export interface Drawing {
  rects: Map<string, Rect>;
  routes: Route[];
  width: number;
  height: number;
}

// Sizes in px at a scale of 1; draw.ts uses them, too.
export const titleHeight = 38; // name and type
export const rowHeight = 16;
export const footHeight = 8; // share of the period
export const groupHeader = 28;
const margin = 60; // around everything: room for values at the right
const groupPadding = 46; // at the sides: links turn there
const groupFoot = 16;
const charWidth = 6.7; // of the 12 px font, on the safe side
const leastWidth = 96;
const border = 10; // height of an entry or exit

/** Lays out all that is in sight. */
export function layout(g: Graph): Drawing {
  const top = new Level(undefined, g.roots, g.edges);
  const rects = new Map<string, Rect>();
  const pieces = new Map<GraphEdge, Piece[]>();
  top.put(margin, margin, rects, pieces);
  const routes = g.edges.map((edge) => ({ edge, points: joined(edge, rects, pieces.get(edge) ?? []) }));
  return { rects, routes, width: top.width + 2 * margin, height: top.height + 2 * margin };
}

/** Middle of the row of a port, from the top of its box. */
export function rowY(n: GraphNode, row: number): number {
  return n.block ? titleHeight + (row + 0.5) * rowHeight : (groupHeader + titleHeight) / 2;
}

function sizeOf(n: GraphNode): Box {
  const text = Math.max(n.label.length * 1.12, n.block?.type.length ?? 14);
  const inWidth = Math.max(0, ...n.inputs.map((r) => r.label.length));
  const outWidth = Math.max(0, ...n.outputs.map((r) => r.label.length));
  const rows = Math.max(n.inputs.length, n.outputs.length);
  const width = Math.ceil(Math.max(leastWidth, text * charWidth + 24, (inWidth + outWidth) * charWidth + 38));
  return { width, height: n.block ? titleHeight + rows * rowHeight + footHeight + 4 : 66, pinned: 0 };
}

/** A part of a link's way, within one level. */
interface Piece {
  depth: number;
  /** order on the way: those that leave groups, that between, those that enter groups */
  phase: "leave" | "between" | "enter";
  points: Point[];
}

/** One level: the nets of the open groups lie within it. */
class Level {
  width = 0;
  height = 0;
  private readonly inner: (Level | undefined)[];
  private readonly ways: { edge: GraphEdge; phase: Piece["phase"]; arc: number }[] = [];
  private readonly entries = new Map<string, number>(); // arcs' ends at the border, by port within
  private readonly plan;

  constructor(
    readonly group: GraphNode | undefined,
    private readonly children: GraphNode[],
    edges: GraphEdge[],
    private readonly depth = 0,
  ) {
    const index = new Map(children.map((c, i) => [c, i]));
    const child = (n: GraphNode): number => {
      let up: GraphNode | undefined = n;
      while (up && up.parent !== group) up = up.parent;
      return up ? (index.get(up) ?? -1) : -1;
    };
    const ends = edges.map((edge) => ({ edge, from: child(edge.from), to: child(edge.to) })).filter((e) => e.from >= 0 || e.to >= 0);
    this.inner = children.map((c, i) => (c.open ? new Level(c, c.children, ends.filter((e) => e.from === i || e.to === i).map((e) => e.edge), depth + 1) : undefined));
    const boxes = children.map((c, i): Box => {
      const l = this.inner[i];
      return l ? { width: l.width + 2 * groupPadding, height: l.height + groupHeader + groupFoot, pinned: 0 } : sizeOf(c);
    });
    const arcs: Arc[] = [];
    for (const { edge, from, to } of ends) {
      if (from === to && this.inner[from]) continue; // it stays within
      const phase = from >= 0 && to >= 0 ? "between" : from >= 0 ? "leave" : "enter";
      const a = from >= 0 ? from : this.entry(boxes, `in ${edge.to.id}:${edge.toRow}`, -1);
      const b = to >= 0 ? to : this.entry(boxes, `out ${edge.from.id}:${edge.fromRow}`, 1);
      let arc = phase === "between" ? -1 : arcs.findIndex((x) => x.from === a && x.to === b && (phase === "leave" ? x.fromY === this.y(from, edge, true) : x.toY === this.y(to, edge, false)));
      if (arc < 0) {
        arcs.push({ from: a, to: b, fromY: from >= 0 ? this.y(from, edge, true) : border / 2, toY: to >= 0 ? this.y(to, edge, false) : border / 2 });
        arc = arcs.length - 1;
      }
      this.ways.push({ edge, phase, arc });
    }
    this.plan = layered(boxes, arcs);
    this.width = this.plan.width;
    this.height = this.plan.height;
  }

  /** The number of the box that stands for the border, made when a port within needs it. */
  private entry(boxes: Box[], key: string, pinned: -1 | 1): number {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    boxes.push({ width: 0, height: border, pinned });
    this.entries.set(key, boxes.length - 1);
    return boxes.length - 1;
  }

  /** Height at which a link leaves or enters a child, from its top. */
  private y(i: number, e: GraphEdge, leaving: boolean): number {
    const l = this.inner[i];
    if (!l) return leaving ? rowY(e.from, e.fromRow) : rowY(e.to, e.toRow);
    const key = leaving ? `out ${e.from.id}:${e.fromRow}` : `in ${e.to.id}:${e.toRow}`;
    return groupHeader + (l.plan.places[l.entries.get(key) ?? -1]?.y ?? 0) + border / 2;
  }

  /** Writes down where everything lies when this level's corner is at x, y. */
  put(x: number, y: number, rects: Map<string, Rect>, pieces: Map<GraphEdge, Piece[]>): void {
    this.children.forEach((c, i) => {
      const p = this.plan.places[i] ?? { x: 0, y: 0 };
      const l = this.inner[i];
      const size = l ? { width: l.width + 2 * groupPadding, height: l.height + groupHeader + groupFoot } : sizeOf(c);
      rects.set(c.id, { x: x + p.x, y: y + p.y, width: size.width, height: size.height });
      l?.put(x + p.x + groupPadding, y + p.y + groupHeader, rects, pieces);
    });
    for (const { edge, phase, arc } of this.ways) {
      const points = (this.plan.bends[arc] ?? []).map((p) => ({ x: x + p.x, y: y + p.y }));
      const rect = this.group ? rects.get(this.group.id) : undefined;
      if (rect && phase !== "between") {
        const key = phase === "leave" ? `out ${edge.from.id}:${edge.fromRow}` : `in ${edge.to.id}:${edge.toRow}`;
        const at = { x: phase === "leave" ? rect.x + rect.width : rect.x, y: y + (this.plan.places[this.entries.get(key) ?? -1]?.y ?? 0) + border / 2 };
        if (phase === "leave") points.push(at);
        else points.unshift(at);
      }
      const all = pieces.get(edge) ?? [];
      all.push({ depth: this.depth, phase, points });
      pieces.set(edge, all);
    }
  }
}

/** The whole way of a link: out of its groups, across, and into those of its target. */
function joined(e: GraphEdge, rects: Map<string, Rect>, pieces: Piece[]): Point[] {
  const from = rects.get(e.from.id);
  const to = rects.get(e.to.id);
  if (!from || !to) return [];
  const order = { leave: 0, between: 1, enter: 2 };
  pieces.sort((a, b) => order[a.phase] - order[b.phase] || (a.phase === "leave" ? b.depth - a.depth : a.depth - b.depth));
  return [{ x: from.x + from.width, y: from.y + rowY(e.from, e.fromRow) }, ...pieces.flatMap((p) => p.points), { x: to.x, y: to.y + rowY(e.to, e.toRow) }];
}
