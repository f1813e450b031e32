// Hit testing: the box, port or link at a point.
import { foldRect } from "./boxes";
import type { Graph, GraphNode } from "./graph";
import { rowY, type Drawing, type Rect } from "./layout";
import type { Point } from "./layers";
import type { Curve } from "./paths";

export interface Hit {
  node: GraphNode | undefined;
  /** whether the point is on the group's open/close mark */
  fold: boolean;
  port: PortHit | undefined;
}

export interface PortHit {
  node: GraphNode;
  row: number;
  outgoing: boolean;
  at: Point;
}

const portReach = 9; // drawing px

/** Returns the innermost box at a point, and its port. */
export function hit(g: Graph, d: Drawing, p: Point): Hit {
  const port = portAt(g, d, p);
  let list = g.roots;
  let found: GraphNode | undefined;
  for (;;) {
    const n: GraphNode | undefined = list.find((x) => holds(d.rects.get(x.id), p));
    if (!n) break;
    found = n;
    list = n.children;
  }
  const r = found && !found.block ? d.rects.get(found.id) : undefined;
  return { node: found ?? port?.node, fold: r !== undefined && holds(foldRect(r), p), port };
}

function portAt(g: Graph, d: Drawing, p: Point): PortHit | undefined {
  for (const node of g.nodes.values()) {
    const r = d.rects.get(node.id);
    if (!r || !node.block || p.x < r.x - portReach || p.x > r.x + r.width + portReach || p.y < r.y || p.y > r.y + r.height) continue;
    for (const outgoing of [false, true]) {
      const x = outgoing ? r.x + r.width : r.x;
      if (Math.abs(p.x - x) > portReach) continue;
      const row = (outgoing ? node.outputs : node.inputs).findIndex((_, i) => Math.abs(r.y + rowY(node, i, d.rowHeight) - p.y) <= 8);
      if (row >= 0) return { node, row, outgoing, at: { x, y: r.y + rowY(node, row, d.rowHeight) } };
    }
  }
  return undefined;
}

/** Returns the rectangle between two corners. */
export function rectOf(a: Point, b: Point): Rect {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

/** Reports whether a rectangle contains another. */
export function covers(r: Rect, inner: Rect | undefined): boolean {
  return inner !== undefined && holds(r, inner) && holds(r, { x: inner.x + inner.width, y: inner.y + inner.height });
}

function holds(r: Rect | undefined, p: Point): boolean {
  return r !== undefined && p.x >= r.x && p.x <= r.x + r.width && p.y >= r.y && p.y <= r.y + r.height;
}

/** Returns the innermost open group at a point, ignoring the groups in except and their contents; "" outside all groups. */
export function groupAt(g: Graph, d: Drawing, p: Point, except: ReadonlySet<string>): string {
  let found = "";
  for (let list = g.roots; ; ) {
    const n: GraphNode | undefined = list.find((x) => x.open && !except.has(x.id) && holds(d.rects.get(x.id), p));
    if (!n) return found;
    found = n.id;
    list = n.children;
  }
}

/** Returns the positions of ports and boxes by name. */
export function placesOf(g: Graph, d: Drawing): { ports: Record<string, number[]>; boxes: Record<string, number[]> } {
  const ports: Record<string, number[]> = {};
  for (const n of g.nodes.values()) {
    const r = d.rects.get(n.id);
    if (!r || !n.block) continue;
    for (const [rows, x] of [[n.inputs, r.x], [n.outputs, r.x + r.width]] as const) {
      rows.forEach((row, i) => {
        if (row.port) ports[`${n.id}.${row.port.name}`] = [x, r.y + rowY(n, i, d.rowHeight)];
      });
    }
  }
  return { ports, boxes: Object.fromEntries([...d.rects].map(([id, r]) => [id, [r.x, r.y, r.width, r.height]])) };
}

/** Returns the link at a point. c is any context; its transformation is not used. */
export function curveAt(c: CanvasRenderingContext2D, curves: Curve[], p: Point, reach: number): Curve | undefined {
  c.save();
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.lineWidth = 2 * reach;
  const found = curves.findLast(({ bounds, path }) => holds(bounds, p) && c.isPointInStroke(path, p.x, p.y));
  c.restore();
  return found;
}
