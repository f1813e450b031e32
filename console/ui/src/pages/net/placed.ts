// Boxes of one level of the net that were placed by hand: the other boxes make room, and links lead around them.
import type { Box, Layout, Point } from "./layers";
import type { Rect } from "./layout";
import type { Arc } from "./order";

export interface PlacedLayout extends Layout {
  /** the point of the level from which places are counted: the corner of its automatic layout */
  origin: Point;
}

const apart = 18; // px to which a box moves away from one that was placed
const tooNear = 8; // px from which it does
const lane = 10; // px between a link and the boxes that it leads around
const laneWidth = 5; // px between links side by side
const lead = 40; // px between a group's border and its boxes, where links enter or leave
const tries = 5; // enlargements of a detour

/**
 * Moves boxes of an automatic layout to their places by hand. An open group stays at its place, and placed boxes make room for it; boxes
 * without a place make room for all placed ones, as near as possible to where they were. Links of moved boxes, and those that a moved
 * box would hide, get new bends.
 */
export function placed(plan: Layout, boxes: Box[], arcs: Arc[], places: (Point | undefined)[], open: boolean[]): PlacedLayout {
  if (!places.some(Boolean)) return { ...plan, origin: { x: 0, y: 0 } };
  const rects = boxes.map((b, i): Rect => ({ ...(places[i] ?? plan.places[i] ?? { x: 0, y: 0 }), width: b.width, height: b.height }));
  makeRoom(rects, boxes, places, open);
  const inner = rects.filter((_, i) => boxes[i]?.pinned === 0);
  const least = Math.min(...inner.map((r) => r.x)) - (boxes.some((b) => b.pinned < 0) ? lead : 0);
  const most = Math.max(...inner.map((r) => r.x + r.width)) + (boxes.some((b) => b.pinned > 0) ? lead : 0);
  rects.forEach((r, i) => {
    if (boxes[i]?.pinned === -1) r.x = least;
    else if (boxes[i]?.pinned === 1) r.x = most;
  });
  const isMoved = (i: number): boolean => rects[i]?.x !== plan.places[i]?.x || rects[i]?.y !== plan.places[i]?.y;
  const moved = rects.filter((_, i) => boxes[i]?.pinned === 0 && isMoved(i));
  const bends = arcs.map((a, i) => {
    const [from, to] = [rects[a.from], rects[a.to]];
    const before = plan.bends[i] ?? [];
    if (!from || !to) return before;
    const start = { x: from.x + from.width, y: from.y + a.fromY };
    const end = { x: to.x, y: to.y + a.toY };
    const hidden = (): boolean => [start, ...before].some((p, k) => moved.some((r) => cuts(p, before[k] ?? end, r)));
    return isMoved(a.from) || isMoved(a.to) || hidden() ? bendsBetween(start, end, from, to, inner, i) : before;
  });
  return fromCorner({ width: most - least, places: rects, bends }, inner, least);
}

/** Moves the level so that its contents begin at 0, 0. */
function fromCorner(l: { width: number; places: Rect[]; bends: Point[][] }, inner: Rect[], least: number): PlacedLayout {
  const ys = l.bends.flat().map((p) => p.y);
  const top = Math.min(...inner.map((r) => r.y), ...ys);
  const bottom = Math.max(...l.places.map((r) => r.y + r.height), ...ys);
  const shift = ({ x, y }: Point): Point => ({ x: x - least, y: y - top });
  return { width: l.width, height: bottom - top, places: l.places.map(shift), bends: l.bends.map((b) => b.map(shift)), origin: shift({ x: 0, y: 0 }) };
}

/** Moves boxes up or down that others would cover. */
function makeRoom(rects: Rect[], boxes: Box[], places: (Point | undefined)[], open: boolean[]): void {
  const of = (want: (i: number) => boolean): Rect[] => rects.filter((_, i) => boxes[i]?.pinned === 0 && want(i));
  const isPlaced = (i: number): boolean => places[i] !== undefined;
  const groups = of((i) => isPlaced(i) && open[i] === true);
  groups.forEach((r, i) => moveAway(r, groups.slice(0, i)));
  const single = of((i) => isPlaced(i) && open[i] !== true);
  for (const r of single) moveAway(r, groups);
  const settled = [...groups, ...single];
  const free = of((i) => !isPlaced(i));
  const covered = free.filter((r) => settled.some((s) => isNear(r, s, tooNear)));
  const all = [...settled, ...free.filter((r) => !covered.includes(r))];
  for (const r of covered) {
    moveAway(r, all);
    all.push(r);
  }
}

/** Moves a box up or down to the nearest place that is free of others. */
function moveAway(r: Rect, others: Rect[]): void {
  if (!others.some((o) => isNear(r, o, tooNear))) return;
  const ys = others.filter((o) => o.x < r.x + r.width + tooNear && r.x < o.x + o.width + tooNear).flatMap((o) => [o.y - r.height - apart, o.y + o.height + apart]);
  ys.sort((a, b) => Math.abs(a - r.y) - Math.abs(b - r.y));
  r.y = ys.find((y) => !others.some((o) => isNear({ ...r, y }, o, tooNear))) ?? r.y;
}

function isNear(a: Rect, b: Rect, gap: number): boolean {
  return a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;
}

/** Returns the points of a link between its ends, around the other boxes. A link to the left turns back beside both boxes. */
export function bendsBetween(start: Point, end: Point, from: Rect, to: Rect, others: Rect[], index: number): Point[] {
  const aside = lane + laneWidth * (index % 4);
  if (end.x < start.x + 2) {
    const beside = [from, to, ...others].filter((r) => r.x < start.x + aside && r.x + r.width > end.x - aside);
    const way = (y: number): number => Math.abs(y - start.y) + Math.abs(y - end.y);
    const ys = beside.flatMap((r) => [r.y - aside, r.y + r.height + aside]).sort((a, b) => way(a) - way(b));
    const isFree = (y: number): boolean => !beside.some((r) => r.y < y + tooNear && r.y + r.height > y - tooNear);
    const y = ys.find(isFree) ?? ys[0] ?? start.y;
    return [{ x: start.x, y }, { x: end.x, y }];
  }
  const rest = others.filter((r) => r !== from && r !== to);
  const blocking = rest.filter((r) => cuts(start, end, r));
  if (blocking.length === 0) return [];
  for (let i = 0; ; i++) {
    const top = Math.min(...blocking.map((r) => r.y)) - aside;
    const bottom = Math.max(...blocking.map((r) => r.y + r.height)) + aside;
    const middle = (start.y + end.y) / 2;
    const y = Math.abs(top - middle) < Math.abs(bottom - middle) ? top : bottom;
    const left = { x: Math.max(start.x, Math.min(...blocking.map((r) => r.x)) - lane), y };
    const right = { x: Math.min(end.x, Math.max(...blocking.map((r) => r.x + r.width)) + lane), y };
    const more = i < tries ? rest.filter((r) => !blocking.includes(r) && cuts(left, right, r)) : [];
    if (more.length === 0) return [left, right];
    blocking.push(...more);
  }
}

/** Reports whether the line from p to q crosses a box. */
function cuts(p: Point, q: Point, r: Rect): boolean {
  const [a, b] = p.x <= q.x ? [p, q] : [q, p];
  const from = Math.max(a.x, r.x);
  const to = Math.min(b.x, r.x + r.width);
  if (from > to) return false;
  const at = (x: number): number => (b.x === a.x ? a.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x));
  const [y1, y2] = b.x === a.x ? [a.y, b.y] : [at(from), at(to)];
  return Math.min(y1, y2) < r.y + r.height && Math.max(y1, y2) > r.y;
}
