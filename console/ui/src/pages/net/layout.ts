// Layout of the visible net: groups from the inside out, each level in layers. A link crosses a group's border at its own entry or exit.
import { edgeLabel } from "./exchange";
import type { Graph, GraphEdge, GraphNode } from "./graph";
import { layered, type Box, type Point } from "./layers";
import type { Arc } from "./order";
import { placed, type PlacedLayout } from "./placed";

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface Route {
  edge: GraphEdge;
  /** from the source port to the target port, with two points for each column between them */
  points: Point[];
}

/** Positions of boxes that were placed by hand, by name: px from the corner of their group's contents, where rows have the least height. */
export type Places = ReadonlyMap<string, Point>;

export interface Drawing {
  /** of a port */
  rowHeight: number;
  rects: Map<string, Rect>;
  /** from where the places in an open group are counted; "" is outside all groups */
  origins: Map<string, Point>;
  routes: Route[];
  width: number;
  height: number;
}

// Sizes in px at scale 1, also used for drawing.
export const titleHeight = 38; // name and type
export const leastRow = 18; // height of a port
const mostRow = 28;
export const footHeight = 8; // share of the period
export const groupHeader = 28;
const margin = 60; // around the drawing, with room for values at the right
const groupPadding = 46; // at the sides, where links turn
const groupFoot = 16;
const charWidth = 6.7; // of the 12 px font, a conservative estimate
const leastWidth = 96;
const border = 10; // height of an entry or exit

const nowhere: Places = new Map();

/** Lays out the visible net, with rows of a height for the ports, and boxes at their places; the others are arranged around them. */
export function layout(g: Graph, rowHeight = leastRow, places = nowhere): Drawing {
  const top = new Level(undefined, g.roots, g.edges, rowHeight, places);
  const rects = new Map<string, Rect>();
  const origins = new Map<string, Point>();
  const pieces = new Map<GraphEdge, Piece[]>();
  top.put(margin, margin, rects, origins, pieces);
  const routes = g.edges.map((edge) => ({ edge, points: joined(edge, rowHeight, rects, pieces.get(edge) ?? []) }));
  return { rowHeight, rects, origins, routes, width: top.width + 2 * margin, height: top.height + 2 * margin };
}

/** Returns the place of a box that is moved to a point of the drawing. */
export function placeAt(d: Drawing, n: GraphNode, at: Point): Point {
  const origin = d.origins.get(n.parent?.id ?? "") ?? { x: 0, y: 0 };
  return { x: Math.round(at.x - origin.x), y: Math.round(((at.y - origin.y) * leastRow) / d.rowHeight) };
}

/**
 * Lays out the visible net for a window in which it is shown as a whole. If it fits only at a small scale, rows are higher, so that labels of
 * ports have the given size on the screen, as far as the height of the window allows.
 */
export function layoutFor(g: Graph, scaleOf: (size: { width: number; height: number }) => number, labels: number): Drawing {
  const plain = layout(g);
  const row = Math.ceil(labels / scaleOf(plain)) + 1;
  if (row <= leastRow || row > mostRow) return plain;
  const high = layout(g, Math.min(mostRow, row + 1));
  return (high.rowHeight - 1) * scaleOf(high) >= labels ? high : plain;
}

/** Returns the middle of a port's row, from the top of its box. */
export function rowY(n: GraphNode, row: number, rowHeight: number): number {
  return n.block ? titleHeight + (row + 0.5) * rowHeight : (groupHeader + titleHeight) / 2;
}

function sizeOf(n: GraphNode, rowHeight: number): Box {
  const text = Math.max(n.label.length * 1.12, n.block?.type.length ?? 14);
  const inWidth = Math.max(0, ...n.inputs.map((r) => r.label.length));
  const outWidth = Math.max(0, ...n.outputs.map((r) => r.label.length));
  const rows = Math.max(n.inputs.length, n.outputs.length);
  const width = Math.ceil(Math.max(leastWidth, text * charWidth + 24, (inWidth + outWidth) * charWidth + 38));
  return { width, height: n.block ? titleHeight + rows * rowHeight + footHeight + 4 : 66, pinned: 0 };
}

/** A part of a link's route, inside one level. */
interface Piece {
  depth: number;
  /** order along the route: leaving groups, between, entering groups */
  phase: "leave" | "between" | "enter";
  points: Point[];
}

/** One level of nesting, with a Level for each open group. */
class Level {
  width = 0;
  height = 0;
  private readonly inner: (Level | undefined)[];
  private readonly parts: { edge: GraphEdge; phase: Piece["phase"]; arc: number }[] = [];
  private readonly entries = new Map<string, number>(); // arc ends at the border, by inner port
  private readonly plan: PlacedLayout;

  constructor(
    readonly group: GraphNode | undefined,
    private readonly children: GraphNode[],
    edges: GraphEdge[],
    private readonly rowHeight: number,
    places: Places,
    private readonly depth = 0,
  ) {
    const index = new Map(children.map((c, i) => [c, i]));
    const child = (n: GraphNode): number => {
      let up: GraphNode | undefined = n;
      while (up && up.parent !== group) up = up.parent;
      return up ? (index.get(up) ?? -1) : -1;
    };
    const ends = edges.map((edge) => ({ edge, from: child(edge.from), to: child(edge.to) })).filter((e) => e.from >= 0 || e.to >= 0);
    this.inner = children.map((c, i) => (c.open ? new Level(c, c.children, ends.filter((e) => e.from === i || e.to === i).map((e) => e.edge), rowHeight, places, depth + 1) : undefined));
    const boxes = children.map((c, i): Box => {
      const l = this.inner[i];
      return l ? { width: l.width + 2 * groupPadding, height: l.height + groupHeader + groupFoot, pinned: 0 } : sizeOf(c, rowHeight);
    });
    const arcs: Arc[] = [];
    for (const { edge, from, to } of ends) {
      if (from === to && this.inner[from]) continue; // inside the group
      const phase = from >= 0 && to >= 0 ? "between" : from >= 0 ? "leave" : "enter";
      const a = from >= 0 ? from : this.entry(boxes, `in ${edge.to.id}:${edge.toRow}`, -1);
      const b = to >= 0 ? to : this.entry(boxes, `out ${edge.from.id}:${edge.fromRow}`, 1);
      let arc = phase === "between" ? -1 : arcs.findIndex((x) => x.from === a && x.to === b && (phase === "leave" ? x.fromY === this.y(from, edge, true) : x.toY === this.y(to, edge, false)));
      if (arc < 0) {
        arcs.push({ from: a, to: b, fromY: from >= 0 ? this.y(from, edge, true) : border / 2, toY: to >= 0 ? this.y(to, edge, false) : border / 2, label: to >= 0 && edgeLabel(edge) !== "" });
        arc = arcs.length - 1;
      }
      this.parts.push({ edge, phase, arc });
    }
    const tall = rowHeight / leastRow; // places keep their distances in rows
    const byHand = children.map((c) => places.get(c.id)).map((p) => p && { x: p.x, y: p.y * tall });
    this.plan = placed(layered(boxes, arcs), boxes, arcs, byHand, children.map((c) => c.open));
    this.width = this.plan.width;
    this.height = this.plan.height;
  }

  /** Returns the index of the box at the border for an inner port, created on first use. */
  private entry(boxes: Box[], key: string, pinned: -1 | 1): number {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    boxes.push({ width: 0, height: border, pinned });
    this.entries.set(key, boxes.length - 1);
    return boxes.length - 1;
  }

  /** Returns the height at which a link leaves or enters a child, from its top. */
  private y(i: number, e: GraphEdge, leaving: boolean): number {
    const l = this.inner[i];
    if (!l) return leaving ? rowY(e.from, e.fromRow, this.rowHeight) : rowY(e.to, e.toRow, this.rowHeight);
    const key = leaving ? `out ${e.from.id}:${e.fromRow}` : `in ${e.to.id}:${e.toRow}`;
    return groupHeader + (l.plan.places[l.entries.get(key) ?? -1]?.y ?? 0) + border / 2;
  }

  /** Adds all positions, with this level's corner at x, y. */
  put(x: number, y: number, rects: Map<string, Rect>, origins: Map<string, Point>, pieces: Map<GraphEdge, Piece[]>): void {
    origins.set(this.group?.id ?? "", { x: x + this.plan.origin.x, y: y + this.plan.origin.y });
    this.children.forEach((c, i) => {
      const p = this.plan.places[i] ?? { x: 0, y: 0 };
      const l = this.inner[i];
      const size = l ? { width: l.width + 2 * groupPadding, height: l.height + groupHeader + groupFoot } : sizeOf(c, this.rowHeight);
      rects.set(c.id, { x: x + p.x, y: y + p.y, width: size.width, height: size.height });
      l?.put(x + p.x + groupPadding, y + p.y + groupHeader, rects, origins, pieces);
    });
    for (const { edge, phase, arc } of this.parts) {
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

/** Joins the parts of a link's route: out of the source's groups, across, and into the target's groups. */
function joined(e: GraphEdge, rowHeight: number, rects: Map<string, Rect>, pieces: Piece[]): Point[] {
  const from = rects.get(e.from.id);
  const to = rects.get(e.to.id);
  if (!from || !to) return [];
  const order = { leave: 0, between: 1, enter: 2 };
  pieces.sort((a, b) => order[a.phase] - order[b.phase] || (a.phase === "leave" ? b.depth - a.depth : a.depth - b.depth));
  return [{ x: from.x + from.width, y: from.y + rowY(e.from, e.fromRow, rowHeight) }, ...pieces.flatMap((p) => p.points), { x: to.x, y: to.y + rowY(e.to, e.toRow, rowHeight) }];
}
