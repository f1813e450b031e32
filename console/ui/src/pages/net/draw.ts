// Draws the net on a canvas: only the visible part, with as much detail as is readable at the scale.
import { edgeLabel } from "./exchange";
import { drawBox, drawGroup, smallest } from "./boxes";
import type { GraphNode } from "./graph";
import { leastRow, type Drawing, type Rect } from "./layout";
import type { Point } from "./layers";
import type { Curve } from "./paths";
import type { NetLink } from "../../lib/wire";
import type { Scene } from "./scene";
import { shows } from "./view";

/** Returns the scale from which labels of ports are readable, and values of links are drawn. */
export function readableFrom(d: Drawing): number {
  return d.rowHeight > leastRow ? smallest / (d.rowHeight - 1) : 0.65;
}

export function isVisible(s: Pick<Scene, "view" | "width" | "height">, r: Rect): boolean {
  return shows(s.view, r, s);
}

/** Returns the outputs, as "block.port", whose values are drawn in the visible part: none while they are too small to read. */
export function readableOutputs(curves: readonly Curve[], d: Drawing, s: Pick<Scene, "view" | "width" | "height">): string[] {
  if (s.view.scale < readableFrom(d)) return [];
  return curves.flatMap(({ route: { edge, points } }) => {
    const [port, at] = [edge.from.outputs[edge.fromRow]?.port, points[0]];
    return port && at && isVisible(s, valueRect(at)) ? [`${edge.from.id}.${port.name}`] : [];
  });
}

/** Returns where the value of a link that begins at a point is drawn. */
function valueRect(at: Point): Rect {
  return { x: at.x, y: at.y - 14, width: 70, height: 16 };
}

/** Sets a canvas's size only if it differs: setting it reallocates the canvas, which costs more than drawing. */
export function fitTo(c: HTMLCanvasElement, w: number, h: number): void {
  if (c.width !== w) c.width = w;
  if (c.height !== h) c.height = h;
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
    if (r && !n.open && isVisible(s, r)) drawBox(c, s, n, r);
  }
  if (s.view.scale >= readableFrom(s.drawing)) drawValues(c, s);
  if (s.pending) drawPending(c, s, s.pending);
  if (s.band) drawBand(c, s, s.band);
}

function drawGroups(c: CanvasRenderingContext2D, s: Scene, nodes: GraphNode[]): void {
  for (const n of nodes) {
    const r = s.drawing.rects.get(n.id);
    if (!n.open || !r || !isVisible(s, r)) continue;
    drawGroup(c, s, n, r);
    drawGroups(c, s, n.children);
  }
}

function drawLinks(c: CanvasRenderingContext2D, s: Scene): void {
  const thin = Math.min(6, 1.7 / s.view.scale); // 1.7 px of the screen: between two rows of pixels, a thinner line has a contrast below 3:1
  const chosen: Curve[] = [];
  for (const k of s.curves) {
    if (!isVisible(s, k.bounds)) continue;
    const { edge } = k.route;
    if (k === s.hovered || isSelected(s, edge.from) || isSelected(s, edge.to) || edge.links.some((l) => isChosen(s, l) || s.marks.has(nameOf(l)))) chosen.push(k);
    else stroke(c, s, k, s.colours["line-strong"], thin);
  }
  for (const k of chosen) {
    const { links } = k.route.edge;
    const colour = links.some((l) => s.marks.has(nameOf(l))) ? s.colours.bad : k === s.hovered ? s.colours.text : s.colours.accent;
    stroke(c, s, k, colour, (links.some((l) => isChosen(s, l)) ? 2.2 : 1.5) * thin);
  }
  if (s.view.scale > 0.45) drawLabels(c, s);
}

function nameOf(l: NetLink): string {
  return `${l.from} -> ${l.to}`;
}

function isChosen(s: Scene, l: NetLink): boolean {
  return s.chosen.some((x) => x.from === l.from && x.to === l.to);
}

/** Reports whether a box, or a group around it, is selected. */
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
  c.setLineDash(edge.calls.length > 0 ? [6, 4] : []);
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
}

const besideValues = 0.75; // the scale from which labels at the ends of links have room beside values at their starts

/** Writes above the ends of links how many they are, and which values they carry. */
function drawLabels(c: CanvasRenderingContext2D, s: Scene): void {
  c.font = `${Math.max(11, 11 / s.view.scale)}px ${s.colours.font}`;
  c.textAlign = "right";
  const readable = s.view.scale >= Math.max(besideValues, readableFrom(s.drawing));
  for (const { route: { edge, points }, bounds } of s.curves) {
    const end = points.at(-1);
    const many = edge.links.length + edge.calls.length;
    const text = [many > 1 ? `${many}` : "", readable ? edgeLabel(edge) : ""].filter(Boolean).join(" · ");
    if (end && text !== "" && isVisible(s, bounds)) label(c, s, text, end.x - 12, end.y - 5, s.colours["text-2"]);
  }
}

const beside = 14; // px that a value keeps from the box at its left and from the link's end

/** Draws values above the start of their links. */
function drawValues(c: CanvasRenderingContext2D, s: Scene): void {
  const size = Math.max(10.5, 10.5 / s.view.scale);
  c.font = `${size}px ${s.colours.mono}`;
  c.textAlign = "left";
  const character = c.measureText("0").width;
  const done = new Set<string>();
  for (const k of s.curves) {
    const { edge, points } = k.route;
    const port = edge.from.outputs[edge.fromRow]?.port;
    const at = points[0];
    if (!port || !at) continue;
    const ref = `${edge.from.id}.${port.name}`;
    if (done.has(ref) || !isVisible(s, valueRect(at))) continue;
    done.add(ref);
    const end = points.at(-1) ?? at;
    const room = end.x > at.x ? Math.floor((end.x - at.x - beside) / character) : Infinity; // before the box that the link ends at
    const v = s.value(ref, room);
    if (v) label(c, s, v.text, at.x + 7, at.y - 4, v.nonFinite ? s.colours.bad : s.colours["text-2"]);
  }
}

/** Draws text with an outline in the background colour, so that it stays readable over lines. */
function label(c: CanvasRenderingContext2D, s: Scene, text: string, x: number, y: number, colour: string): void {
  c.strokeStyle = s.colours.bg;
  c.lineWidth = Math.max(4, 4 / s.view.scale); // 2 px of the screen around each digit: no line shows through a 0
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
