// Links as curves.
import type { Drawing, Rect, Route } from "./layout";
import type { Point } from "./layers";

export interface Curve {
  route: Route;
  path: Path2D;
  bounds: Rect;
}

const bulge = 12; // px at least by which a link that turns back goes beyond its column
const lanes = 6; // side by side, so that links that turn back at one column are told apart
const laneWidth = 5;
const corner = 9; // radius

export function curves(d: Drawing): Curve[] {
  return d.routes.map((route, i) => ({ route, path: pathThrough(route.points, bulge + laneWidth * (i % lanes)), bounds: around(route.points) }));
}

/** A curve that is level at every point; where the way turns back it goes round. */
export function pathThrough(points: Point[], beyond: number): Path2D {
  const path = new Path2D();
  const dir = (i: number): number => {
    const [p, q] = [points[i], points[i + 1]];
    return p && q ? Math.sign(q.x - p.x) : 1;
  };
  const first = points[0];
  if (!first) return path;
  path.moveTo(first.x, first.y);
  points.slice(1).forEach((q, i) => {
    const p = points[i] ?? q;
    const before = i === 0 ? 1 : dir(i - 1) || 1;
    const after = i + 2 >= points.length ? 1 : dir(i + 1) || dir(i + 2) || 1;
    const dx = q.x - p.x;
    if (before > 0 && after < 0) turn(path, p, q, Math.max(p.x, q.x) + beyond);
    else if (before < 0 && after > 0) turn(path, p, q, Math.min(p.x, q.x) - beyond);
    else if (p.y === q.y) path.lineTo(q.x, q.y);
    else {
      const reach = dx === 0 ? 0 : Math.max(Math.abs(dx) / 2, Math.min(30, Math.abs(q.y - p.y) / 4)) * Math.sign(dx);
      path.bezierCurveTo(p.x + reach, p.y, q.x - reach, q.y, q.x, q.y);
    }
  });
  return path;
}

/** From p up or down at x, and back to q. */
function turn(path: Path2D, p: Point, q: Point, x: number): void {
  const r = Math.min(corner, Math.abs(q.y - p.y) / 2);
  path.arcTo(x, p.y, x, q.y, r);
  path.arcTo(x, q.y, q.x, q.y, r);
  path.lineTo(q.x, q.y);
}

function around(points: Point[]): Rect {
  const most = bulge + laneWidth * lanes;
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const x = Math.min(...xs) - most;
  const y = Math.min(...ys) - 4;
  return { x, y, width: Math.max(...xs) + most - x, height: Math.max(...ys) + 4 - y };
}
