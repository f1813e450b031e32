// Draws blocks and groups on the canvas.
import type { GraphNode, Row } from "./graph";
import { footHeight, groupHeader, rowY, type Rect } from "./layout";
import { isMarked, unusualAt, type Scene } from "./scene";

type Context = CanvasRenderingContext2D;

/** Draws a block or a closed group. */
export function drawBox(c: Context, s: Scene, n: GraphNode, r: Rect): void {
  const k = s.colours;
  const off = n.block?.state === "disabled" || n.block?.state === "resting";
  const chosen = s.selected.has(n.id);
  const bad = n.faults > 0 || isMarked(s, n);
  if (!n.block || n.block.file !== undefined) {
    c.fillStyle = k.surface; // a second sheet behind it: the box has contents
    c.strokeStyle = k["line-strong"];
    c.lineWidth = 1;
    box(c, { ...r, x: r.x + 4, y: r.y + 4 });
  }
  c.fillStyle = bad ? k["bad-bg"] : chosen ? k.selected : k.surface;
  c.strokeStyle = chosen ? k.accent : bad ? k.bad : k["line-strong"];
  c.lineWidth = chosen || bad ? Math.max(2, 1.4 / s.view.scale) : 1;
  c.setLineDash(off ? [4, 3] : []);
  box(c, r);
  c.setLineDash([]);
  if (n.id === s.focused) ring(c, s, r);
  const thread = s.thread(n);
  if (thread >= 0) {
    c.fillStyle = k.series[thread % k.series.length] ?? k.accent;
    c.beginPath();
    c.roundRect(r.x, r.y, 4, r.height, [5, 0, 0, 5]);
    c.fill();
  }
  if (s.view.scale < 0.22) return;
  texts(c, s, n, r, off, bad);
  if (s.view.scale >= 0.4 && n.block) {
    n.inputs.forEach((row, i) => port(c, s, n, row, r.x, r.y + rowY(n, i, s.drawing.rowHeight), roomOf(r, row, n.outputs[i]), false));
    n.outputs.forEach((row, i) => port(c, s, n, row, r.x + r.width, r.y + rowY(n, i, s.drawing.rowHeight), roomOf(r, row, n.inputs[i]), true));
  }
  badges(c, s, n, r);
  const share = n.block ? s.share(n.id) : undefined;
  if (share !== undefined) bar(c, s, r, share);
}

function texts(c: Context, s: Scene, n: GraphNode, r: Rect, off: boolean, bad: boolean): void {
  const k = s.colours;
  const room = r.width - 22;
  c.textAlign = "left";
  c.fillStyle = bad ? k.bad : off ? k["text-3"] : k.text;
  const size = s.view.scale < 0.4 ? Math.min(30, 10 / s.view.scale) : Math.max(13, smallest / s.view.scale); // at small scales only names are readable
  c.font = `600 ${size}px ${k.font}`;
  c.fillText(elided(n.label, room, size, (t) => c.measureText(t).width), r.x + 12, r.y + 4 + size, room);
  if (s.view.scale < 0.4) return;
  if (!n.block) fold(c, s, r, false);
  if (size > 17) return; // no room for a second line
  c.font = `11px ${k.font}`;
  c.fillStyle = n.faults > 0 ? k.bad : k["text-3"];
  const second = n.block ? (n.faults > 0 ? "in error" : off ? `${n.block.type} · ${n.block.state ?? ""}` : n.block.type) : n.faults > 0 ? `${n.faults} of ${n.count} in error` : `${n.count} ${n.count === 1 ? "block" : "blocks"}`;
  c.fillText(elided(second, room, 11, (t) => c.measureText(t).width), r.x + 12, r.y + 32, room);
}

/** Draws marks at the upper right corner: H for held ports, ∞ for numbers that are not finite. They are readable at any scale. */
function badges(c: Context, s: Scene, n: GraphNode, r: Rect): void {
  const { held, nonFinite } = unusualAt(s.unusual, n);
  const k = s.colours;
  const size = Math.min(34, Math.max(16, 11 / s.view.scale));
  let x = r.x + r.width - size * 0.6;
  const badge = (text: string, colour: string, back: string): void => {
    c.fillStyle = back;
    c.strokeStyle = colour;
    c.lineWidth = 1.2;
    c.beginPath();
    c.roundRect(x - size / 2, r.y - size / 2, size, size, 4);
    c.fill();
    c.stroke();
    c.fillStyle = colour;
    c.font = `700 ${size * 0.7}px ${k.font}`;
    c.textAlign = "center";
    c.fillText(text, x, r.y + size * 0.25);
    x -= size + 3;
  };
  if (nonFinite) badge("∞", k.bad, k["bad-bg"]);
  if (held) badge("H", k.warn, k["warn-bg"]);
}

/** Returns the width of a row's label: two labels of one row share the box by their lengths. */
function roomOf(r: Rect, row: Row, other: Row | undefined): number {
  return other === undefined ? r.width : (r.width * row.label.length) / Math.max(1, row.label.length + other.label.length);
}

export const smallest = 11; // px on the screen, of the labels of ports

/** Returns the size of port labels in the drawing: at least 11 px on the screen while a row has room for that. */
export function labelSize(scale: number, rowHeight: number): number {
  return Math.min(rowHeight - 1, Math.max(smallest, smallest / scale));
}

const squeeze = 1.2; // by which a text may be wider than its room; it is drawn narrower

/** Returns a text of a font size that fits into a width, shortened with an ellipsis if needed: in the middle, because names of a row differ in their ends. */
export function elided(text: string, room: number, size: number, widthOf: (text: string) => number): string {
  const most = Math.max(2, Math.floor(room / (0.5 * size)));
  if (text.length <= most || widthOf(text) <= squeeze * room) return text;
  const number = /\d*$/.exec(text)?.[0].length ?? 0; // ports of a row of joints differ in it alone
  const end = Math.min(most - 2, Math.max(number, Math.floor((most - 1) / 3)));
  return text.slice(0, most - 1 - end) + "…" + text.slice(text.length - end);
}

function port(c: Context, s: Scene, n: GraphNode, row: Row, x: number, y: number, room: number, outgoing: boolean): void {
  const k = s.colours;
  const event = row.port?.kind === "event" || row.port?.kind === "handler";
  const ref = row.port ? `${n.id}.${row.port.name}` : "";
  const [held, odd] = [s.unusual.held.has(ref), s.unusual.nonFinite.has(ref)];
  if (held || odd) {
    c.fillStyle = odd ? k.bad : k.warn;
    c.beginPath();
    c.arc(x, y, 6.5, 0, 2 * Math.PI);
    c.fill();
  }
  c.fillStyle = outgoing ? k["text-3"] : row.port?.trigger ? k.accent : k.surface;
  c.strokeStyle = k["text-3"];
  c.lineWidth = 1.2;
  c.beginPath();
  if (event) {
    c.moveTo(x - 4, y);
    c.lineTo(x, y - 4);
    c.lineTo(x + 4, y);
    c.lineTo(x, y + 4);
    c.closePath();
  } else c.arc(x, y, 3.2, 0, 2 * Math.PI);
  c.fill();
  c.stroke();
  const size = labelSize(s.view.scale, s.drawing.rowHeight);
  if (size * s.view.scale < smallest - 0.5) return; // not readable
  c.font = `${size}px ${k.font}`;
  c.fillStyle = odd ? k.bad : held ? k.warn : row.port ? k["text-2"] : k["text-3"];
  c.textAlign = outgoing ? "right" : "left";
  const text = held ? `${row.label} · held` : odd ? `${row.label} · not finite` : row.label;
  c.fillText(elided(text, room - 14, size, (t) => c.measureText(t).width), outgoing ? x - 9 : x + 10, y + 0.36 * size, room - 14);
}

/** Draws the share of the period as a bar at the bottom. */
function bar(c: Context, s: Scene, r: Rect, share: number): void {
  const width = r.width - 24;
  const y = r.y + r.height - footHeight;
  c.fillStyle = s.colours.hover;
  c.fillRect(r.x + 12, y, width, 3);
  c.fillStyle = share > 0.5 ? s.colours.warn : s.colours["text-3"];
  c.fillRect(r.x + 12, y, Math.max(1, width * Math.min(1, share)), 3);
}

/** Draws an open group: a frame around its contents. */
export function drawGroup(c: Context, s: Scene, n: GraphNode, r: Rect): void {
  const k = s.colours;
  c.fillStyle = k.raised;
  const chosen = s.selected.has(n.id);
  const bad = n.faults > 0 || isMarked(s, n);
  c.strokeStyle = chosen ? k.accent : bad ? k.bad : k["line-strong"];
  c.lineWidth = chosen || bad ? Math.max(2, 1.4 / s.view.scale) : 1;
  box(c, r);
  if (n.id === s.focused) ring(c, s, r);
  if (s.view.scale < 0.12) return;
  const size = Math.min(groupHeader - 8, Math.max(13, 11 / s.view.scale));
  c.textAlign = "left";
  c.font = `600 ${size}px ${k.font}`;
  c.fillStyle = k["text-2"];
  c.fillText(n.label, r.x + 12, r.y + 5 + size * 0.85, r.width - 40);
  if (s.view.scale >= 0.4) fold(c, s, r, true);
}

/** Draws the keyboard focus around a box. */
function ring(c: Context, s: Scene, r: Rect): void {
  const gap = 3 / s.view.scale;
  c.strokeStyle = s.colours.accent;
  c.lineWidth = 1.5 / s.view.scale;
  c.setLineDash([4 / s.view.scale, 3 / s.view.scale]);
  c.strokeRect(r.x - gap, r.y - gap, r.width + 2 * gap, r.height + 2 * gap);
  c.setLineDash([]);
}

/** Returns the area of a group's open/close mark. */
export function foldRect(r: Rect): Rect {
  return { x: r.x + r.width - 26, y: r.y + 4, width: 22, height: groupHeader - 6 };
}

function fold(c: Context, s: Scene, r: Rect, open: boolean): void {
  const f = foldRect(r);
  const [x, y] = [f.x + f.width / 2, f.y + f.height / 2];
  c.strokeStyle = s.colours["text-2"];
  c.lineWidth = 1.4;
  c.beginPath();
  c.moveTo(x - 4.5, y);
  c.lineTo(x + 4.5, y);
  if (!open) {
    c.moveTo(x, y - 4.5);
    c.lineTo(x, y + 4.5);
  }
  c.stroke();
}

function box(c: Context, r: Rect): void {
  c.beginPath();
  c.roundRect(r.x, r.y, r.width, r.height, 5);
  c.fill();
  c.stroke();
}
