// Paints blocks and groups.
import type { GraphNode, Row } from "./graph";
import { footHeight, groupHeader, rowY, type Rect } from "./layout";
import { isMarked, type Scene } from "./scene";

type Context = CanvasRenderingContext2D;

/** A block, or a closed group. */
export function drawBox(c: Context, s: Scene, n: GraphNode, r: Rect): void {
  const k = s.colours;
  const off = n.block?.state === "disabled" || n.block?.state === "resting";
  const chosen = s.selected.has(n.id);
  const bad = n.faults > 0 || isMarked(s, n);
  if (!n.block || n.block.file !== undefined) {
    c.fillStyle = k.surface; // a second sheet behind it: there is more within
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
    n.inputs.forEach((row, i) => port(c, s, row, r.x, r.y + rowY(n, i), false));
    n.outputs.forEach((row, i) => port(c, s, row, r.x + r.width, r.y + rowY(n, i), true));
  }
  const share = n.block ? s.share(n.id) : undefined;
  if (share !== undefined) bar(c, s, r, share);
}

function texts(c: Context, s: Scene, n: GraphNode, r: Rect, off: boolean, bad: boolean): void {
  const k = s.colours;
  const room = r.width - 22;
  c.textAlign = "left";
  c.fillStyle = bad ? k.bad : off ? k["text-3"] : k.text;
  const size = s.view.scale < 0.4 ? Math.min(30, 10 / s.view.scale) : 13; // from afar only names can be read
  c.font = `600 ${size}px ${k.font}`;
  c.fillText(n.label, r.x + 12, r.y + 4 + size, room);
  if (s.view.scale < 0.4) return;
  c.font = `11px ${k.font}`;
  c.fillStyle = n.faults > 0 ? k.bad : k["text-3"];
  const second = n.block ? (n.faults > 0 ? "in error" : off ? `${n.block.type} · ${n.block.state ?? ""}` : n.block.type) : `${n.count} blocks${n.faults > 0 ? ` · ${n.faults} in error` : ""}`;
  c.fillText(second, r.x + 12, r.y + 32, room);
  if (!n.block) fold(c, s, r, false);
}

function port(c: Context, s: Scene, row: Row, x: number, y: number, outgoing: boolean): void {
  const k = s.colours;
  const event = row.port?.kind === "event" || row.port?.kind === "handler";
  c.fillStyle = outgoing ? k["text-3"] : k.surface;
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
  if (s.view.scale < 0.5) return;
  c.font = `11px ${k.font}`;
  c.fillStyle = row.port ? k["text-2"] : k["text-3"];
  c.textAlign = outgoing ? "right" : "left";
  c.fillText(row.label, outgoing ? x - 9 : x + 10, y + 4);
}

/** The share of the period, as a quiet bar at the foot. */
function bar(c: Context, s: Scene, r: Rect, share: number): void {
  const width = r.width - 24;
  const y = r.y + r.height - footHeight;
  c.fillStyle = s.colours.hover;
  c.fillRect(r.x + 12, y, width, 3);
  c.fillStyle = share > 0.5 ? s.colours.warn : s.colours["text-3"];
  c.fillRect(r.x + 12, y, Math.max(1, width * Math.min(1, share)), 3);
}

/** An open group: a frame around what it holds. */
export function drawGroup(c: Context, s: Scene, n: GraphNode, r: Rect): void {
  const k = s.colours;
  c.fillStyle = k.raised;
  const chosen = s.selected.has(n.id);
  const bad = n.faults > 0 || isMarked(s, n);
  c.strokeStyle = chosen ? k.accent : bad ? k.bad : k.line;
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

/** Around the box that the keyboard is at. */
function ring(c: Context, s: Scene, r: Rect): void {
  const gap = 3 / s.view.scale;
  c.strokeStyle = s.colours.accent;
  c.lineWidth = 1.5 / s.view.scale;
  c.setLineDash([4 / s.view.scale, 3 / s.view.scale]);
  c.strokeRect(r.x - gap, r.y - gap, r.width + 2 * gap, r.height + 2 * gap);
  c.setLineDash([]);
}

/** Where a group's mark for opening and closing is. */
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
