// The drawing while boxes are dragged: only they and their links move, so that each frame is cheap.
import type { GraphNode } from "./graph";
import type { Point } from "./layers";
import type { Drawing } from "./layout";
import { curve, type Curve } from "./paths";
import { bendsBetween } from "./placed";

/** Boxes on their way: with groups, all that is inside. */
export interface Dragged {
  nodes: GraphNode[];
  by: Point;
}

/** Returns the drawing and its links with boxes moved. */
export function dragged(d: Drawing, lines: Curve[], { nodes, by }: Dragged): { drawing: Drawing; lines: Curve[] } {
  const moves = (n: GraphNode): boolean => {
    for (let up: GraphNode | undefined = n; up; up = up.parent) if (nodes.includes(up)) return true;
    return false;
  };
  const shifted = <P extends Point>(p: P): P => ({ ...p, x: p.x + by.x, y: p.y + by.y });
  const rects = new Map(d.rects);
  const move = (n: GraphNode): void => {
    const r = rects.get(n.id);
    if (r) rects.set(n.id, shifted(r));
    n.children.forEach(move);
  };
  nodes.forEach(move);
  const rerouted = lines.map((k, i): Curve => {
    const { edge, points } = k.route;
    const [a, b] = [moves(edge.from), moves(edge.to)];
    if (a && b) return curve({ edge, points: points.map(shifted) }, i);
    const [first, last, from, to] = [points[0], points.at(-1), rects.get(edge.from.id), rects.get(edge.to.id)];
    if ((!a && !b) || !first || !last || !from || !to) return k;
    const [start, end] = [a ? shifted(first) : first, b ? shifted(last) : last];
    return curve({ edge, points: [start, ...bendsBetween(start, end, from, to, [], i), end] }, i);
  });
  return { drawing: { ...d, rects }, lines: rerouted };
}

/** Returns a movement with which a link of a dragged box becomes straight, if there is one nearby. */
export function straightened(lines: Curve[], nodes: GraphNode[], by: Point, reach: number): Point {
  let best = reach;
  let y = by.y;
  for (const { route } of lines) {
    const [a, b] = [nodes.includes(route.edge.from), nodes.includes(route.edge.to)];
    const [first, last] = [route.points[0], route.points.at(-1)];
    if (a === b || !first || !last) continue;
    const wanted = a ? last.y - first.y : first.y - last.y;
    if (Math.abs(wanted - by.y) >= best) continue;
    best = Math.abs(wanted - by.y);
    y = wanted;
  }
  return { x: by.x, y };
}

/** Returns by how much an arrow key moves a box, in px: 10, with Shift 1; undefined for other keys. */
export function nudgeOf(e: KeyboardEvent): Point | undefined {
  if (e.ctrlKey || e.metaKey || e.altKey) return undefined;
  const step = e.shiftKey ? 1 : 10;
  return { ArrowLeft: { x: -step, y: 0 }, ArrowRight: { x: step, y: 0 }, ArrowUp: { x: 0, y: -step }, ArrowDown: { x: 0, y: step } }[e.key];
}
