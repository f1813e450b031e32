// The view of the drawing: scale and offset.
import type { Rect } from "./layout";
import type { Point } from "./layers";

export interface View {
  /** screen px per drawing px */
  scale: number;
  /** position of the drawing's origin on the screen */
  x: number;
  y: number;
}

const least = 0.05;
const largest = 2.5;

export function toDrawing(v: View, p: Point): Point {
  return { x: (p.x - v.x) / v.scale, y: (p.y - v.y) / v.scale };
}

/** Scales the view by a factor about the screen point p. */
export function zoomed(v: View, factor: number, p: Point): View {
  const scale = Math.max(least, Math.min(largest, v.scale * factor));
  const k = scale / v.scale;
  return { scale, x: p.x - (p.x - v.x) * k, y: p.y - (p.y - v.y) * k };
}

/** Fits a drawing into a window, at a scale of at most 1. */
export function fitted(size: { width: number; height: number }, window: { width: number; height: number }): View {
  const scale = Math.max(least, Math.min(1, window.width / size.width, window.height / size.height));
  return { scale, x: (window.width - size.width * scale) / 2, y: (window.height - size.height * scale) / 2 };
}

/**
 * Enlarges a view in which all of a drawing is shown to a scale, if its own is smaller. Of what does not fit then, the beginning is shown:
 * the left, the top, and the first of the boxes.
 */
export function enlarged(v: View, scale: number, size: { width: number; height: number }, boxes: Iterable<Rect>, window: { width: number; height: number }): View {
  if (v.scale >= scale) return v;
  const begin = (of: number, room: number): number => Math.max(0, (room - of * scale) / 2);
  const y = begin(size.height, window.height);
  const first = [...boxes].sort((a, b) => a.x - b.x || a.y - b.y)[0];
  const below = first ? (first.y + first.height) * scale + y - window.height : 0;
  return { scale, x: begin(size.width, window.width), y: first && below > 0 ? Math.max(y - below, -first.y * scale) : y };
}

const spare = 52; // of the margin of a drawing: what its left side can do without

/** Moves a fitted view to the left by at most a number of px, so that the drawing has more room at the right and stays visible. */
export function leftwards(v: View, most: number): View {
  return { ...v, x: v.x - Math.max(0, Math.min(most, v.x + spare * v.scale)) };
}

/** Reports whether a rectangle is visible, at least partly. */
export function shows(v: View, r: Rect, window: { width: number; height: number }): boolean {
  return r.x * v.scale + v.x < window.width && (r.x + r.width) * v.scale + v.x > 0 && r.y * v.scale + v.y < window.height && (r.y + r.height) * v.scale + v.y > 0;
}

/** Moves the view so that the box that was nearest to the middle of the window, and still exists, stays at its place on the screen. */
export function anchored(v: View, before: ReadonlyMap<string, Rect>, now: ReadonlyMap<string, Rect>, window: { width: number; height: number }): View {
  const middle = toDrawing(v, { x: window.width / 2, y: window.height / 2 });
  const distance = (r: Rect): number => Math.hypot(r.x + r.width / 2 - middle.x, r.y + r.height / 2 - middle.y);
  const nearest = [...before].filter(([id]) => now.has(id)).sort(([, a], [, b]) => distance(a) - distance(b))[0];
  const there = nearest && now.get(nearest[0]);
  return there ? { ...v, x: v.x + (nearest[1].x - there.x) * v.scale, y: v.y + (nearest[1].y - there.y) * v.scale } : v;
}

/** Moves the view as little as needed to show a rectangle; with closer, it also zooms in to a readable scale. */
export function revealing(v: View, r: Rect, window: { width: number; height: number }, closer: boolean, margin = 40): View {
  const scale = closer ? Math.max(v.scale, 0.7) : v.scale;
  const centre = scale > v.scale;
  const shift = (from: number, size: number, room: number, offset: number): number => {
    const a = from * scale + offset;
    if (centre || size * scale > room - 2 * margin) return room / 2 - (from + size / 2) * scale;
    if (a < margin) return offset + margin - a;
    if (a + size * scale > room - margin) return offset + room - margin - a - size * scale;
    return offset;
  };
  return { scale, x: shift(r.x, r.width, window.width, v.x), y: shift(r.y, r.height, window.height, v.y) };
}
