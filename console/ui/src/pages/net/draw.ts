// Paints the net on a canvas: only what is in sight, and no more detail than can be read.
import { drawBox, drawGroup } from "./boxes";
import type { GraphNode } from "./graph";
import type { Rect } from "./layout";
import type { Curve } from "./paths";
import type { NetLink } from "../../lib/wire";
import type { Scene } from "./scene";

/** From this scale on values of links are written. */
export const readable = 0.62;

export function inSight(s: Pick<Scene, "view" | "width" | "height">, r: Rect): boolean {
  const { scale, x, y } = s.view;
  return r.x * scale + x < s.width && (r.x + r.width) * scale + x > 0 && r.y * scale + y < s.height && (r.y + r.height) * scale + y > 0;
}

export function draw(c: CanvasRenderingContext2D, s: Scene, ratio: number): void {
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = s.colours.bg;
  c.fillRect(0, 0, s.width, s.height);
  c.setTransform(ratio * s.view.scale, 0, 0, ratio * s.view.scale, ratio * s.view.x, ratio * s.view.y);
  drawGroups(c, s, s.graph.roots);
  drawLinks(c, s);
  for (const n of s.graph.nodes.values()) {
    const r = s.drawing.rects.get(n.id);
    if (r && !n.open && inSight(s, r)) drawBox(c, s, n, r);
  }
  if (s.view.scale >= readable) drawValues(c, s);
  if (s.pending) drawPending(c, s, s.pending);
  if (s.band) drawBand(c, s, s.band);
}

function drawGroups(c: CanvasRenderingContext2D, s: Scene, nodes: GraphNode[]): void {
  for (const n of nodes) {
    const r = s.drawing.rects.get(n.id);
    if (!n.open || !r || !inSight(s, r)) continue;
    drawGroup(c, s, n, r);
    drawGroups(c, s, n.children);
  }
}

function drawLinks(c: CanvasRenderingContext2D, s: Scene): void {
  const thin = Math.max(1.1, 0.5 / s.view.scale);
  const chosen: Curve[] = [];
  for (const k of s.curves) {
    if (!inSight(s, k.bounds)) continue;
    const { edge } = k.route;
    if (k === s.hovered || isSelected(s, edge.from) || isSelected(s, edge.to) || edge.links.some((l) => isChosen(s, l) || s.marks.has(nameOf(l)))) chosen.push(k);
    else stroke(c, s, k, s.colours["line-strong"], thin);
  }
  for (const k of chosen) {
    const { links } = k.route.edge;
    const colour = links.some((l) => s.marks.has(nameOf(l))) ? s.colours.bad : k === s.hovered ? s.colours.text : s.colours.accent;
    stroke(c, s, k, colour, (links.some((l) => isChosen(s, l)) ? 2.2 : 1.5) * thin);
  }
}

function nameOf(l: NetLink): string {
  return `${l.from} -> ${l.to}`;
}

function isChosen(s: Scene, l: NetLink): boolean {
  return s.chosen.some((x) => x.from === l.from && x.to === l.to);
}

/** Whether a box, or a group around it, is selected. */
function isSelected(s: Scene, n: GraphNode): boolean {
  if (s.selected.size === 0) return false;
  for (let up: GraphNode | undefined = n; up; up = up.parent) if (s.selected.has(up.id)) return true;
  return false;
}

function stroke(c: CanvasRenderingContext2D, s: Scene, k: Curve, colour: string, width: number): void {
  const { edge, points } = k.route;
  const many = edge.links.length;
  c.strokeStyle = colour;
  c.lineWidth = width * (many > 1 ? 1 + Math.min(2, Math.log2(many) / 2) : 1);
  c.setLineDash(edge.links.some((l) => l.delay) ? [5, 3] : []);
  c.stroke(k.path);
  c.setLineDash([]);
  const end = points.at(-1);
  if (!end || s.view.scale < 0.3) return;
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(end.x - 0.5, end.y);
  c.lineTo(end.x - 7, end.y - 3.5);
  c.lineTo(end.x - 7, end.y + 3.5);
  c.fill();
  if (many > 1 && s.view.scale > 0.45) {
    c.font = `11px ${s.colours.font}`;
    c.textAlign = "right";
    label(c, s, `${many}`, end.x - 12, end.y - 5, s.colours["text-2"]);
  }
}

/** Values stand where the links begin, above the line. */
function drawValues(c: CanvasRenderingContext2D, s: Scene): void {
  c.font = `10.5px ${s.colours.mono}`;
  c.textAlign = "left";
  const done = new Set<string>();
  for (const k of s.curves) {
    const { edge, points } = k.route;
    const port = edge.from.outputs[edge.fromRow]?.port;
    const at = points[0];
    if (!port || !at) continue;
    const ref = `${edge.from.id}.${port.name}`;
    if (done.has(ref) || !inSight(s, { x: at.x, y: at.y - 14, width: 70, height: 16 })) continue;
    done.add(ref);
    const v = s.value(ref);
    if (v) label(c, s, v.text, at.x + 7, at.y - 4, v.odd ? s.colours.bad : s.colours["text-2"]);
  }
}

/** Text with a rim in the colour of the ground, so that lines do not strike it through. */
function label(c: CanvasRenderingContext2D, s: Scene, text: string, x: number, y: number, colour: string): void {
  c.strokeStyle = s.colours.bg;
  c.lineWidth = 3;
  c.lineJoin = "round";
  c.strokeText(text, x, y);
  c.fillStyle = colour;
  c.fillText(text, x, y);
}

function drawBand(c: CanvasRenderingContext2D, s: Scene, r: Rect): void {
  c.strokeStyle = s.colours.accent;
  c.lineWidth = 1 / s.view.scale;
  c.globalAlpha = 0.12;
  c.fillStyle = s.colours.accent;
  c.fillRect(r.x, r.y, r.width, r.height);
  c.globalAlpha = 1;
  c.strokeRect(r.x, r.y, r.width, r.height);
}

function drawPending(c: CanvasRenderingContext2D, s: Scene, p: NonNullable<Scene["pending"]>): void {
  c.strokeStyle = p.fits === undefined ? s.colours.accent : p.fits ? s.colours.ok : s.colours.bad;
  c.lineWidth = 2;
  const reach = Math.max(30, Math.abs(p.to.x - p.from.x) / 2);
  c.beginPath();
  c.moveTo(p.from.x, p.from.y);
  c.bezierCurveTo(p.from.x + reach, p.from.y, p.to.x - reach, p.to.y, p.to.x, p.to.y);
  c.stroke();
}
