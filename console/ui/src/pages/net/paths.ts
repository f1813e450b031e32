// Links as curves on the canvas.
import type { Drawing, Rect, Route } from "./layout";
import type { Point } from "./layers";

export interface Curve {
  route: Route;
  path: Path2D;
  bounds: Rect;
}

const bulge = 12; // least px by which a link that turns back extends beyond its column
const lanes = 6; // parallel lanes for links that turn back at the same column
const laneWidth = 5;
const corner = 9; // radius

export function curves(d: Drawing): Curve[] {
  return d.routes.map(curve);
}

/** Returns the curve of a route; index selects its lane. */
export function curve(route: Route, index: number): Curve {
  return { route, path: pathThrough(route.points, bulge + laneWidth * (index % lanes)), bounds: around(route.points) };
}

/** Returns a curve that is horizontal at every point. Where it turns back, it extends px `beyond` the point. */
export function pathThrough(points: Point[], beyond: number): Path2D {
  const path = new Path2D();
  const first = points[0];
  if (!first) return path;
  path.moveTo(first.x, first.y);
  let going = 1; // to the right
  points.slice(1).forEach((q, i) => {
    const p = points[i] ?? q;
    const dx = q.x - p.x;
    const next = (points[i + 2]?.x ?? Infinity) - q.x;
    if (going > 0 && dx >= 0 && next < 0) {
      turn(path, p, q, q.x + beyond);
      going = -1;
      return;
    }
    if (going < 0 && dx >= 0) {
      turn(path, p, q, p.x - beyond);
      going = 1;
      return;
    }
    if (p.y === q.y) path.lineTo(q.x, q.y);
    else {
      const reach = dx === 0 ? 0 : Math.max(Math.abs(dx) / 2, Math.min(30, Math.abs(q.y - p.y) / 4)) * Math.sign(dx);
      path.bezierCurveTo(p.x + reach, p.y, q.x - reach, q.y, q.x, q.y);
    }
  });
  return path;
}

/** Adds a turn from p up or down at x, and back to q. */
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
