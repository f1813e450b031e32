// Which part of the drawing is in sight, and how large.
import type { Rect } from "./layout";
import type { Point } from "./layers";

export interface View {
  /** screen px for each px of the drawing */
  scale: number;
  /** where the drawing's origin lies on the screen */
  x: number;
  y: number;
}

const least = 0.05;
const largest = 2.5;

export function toDrawing(v: View, p: Point): Point {
  return { x: (p.x - v.x) / v.scale, y: (p.y - v.y) / v.scale };
}

/** Larger or smaller by a factor, with the point p of the screen at rest. */
export function zoomed(v: View, factor: number, p: Point): View {
  const scale = Math.max(least, Math.min(largest, v.scale * factor));
  const k = scale / v.scale;
  return { scale, x: p.x - (p.x - v.x) * k, y: p.y - (p.y - v.y) * k };
}

/** All of a drawing in a window, not larger than it is. */
export function fitted(size: { width: number; height: number }, window: { width: number; height: number }): View {
  const scale = Math.max(least, Math.min(1, window.width / size.width, window.height / size.height));
  return { scale, x: (window.width - size.width * scale) / 2, y: (window.height - size.height * scale) / 2 };
}

/** The view moved, as little as needed, so that a rectangle is in sight; where it is too small to read the view may come closer. */
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
