// A drag of the pointer in the drawing of the net: it moves the view or boxes, draws a link, or spans a rectangle.
import { straightened, type Dragged } from "./dragged";
import type { Graph, GraphNode } from "./graph";
import { covers, groupAt, hit, rectOf, type PortHit } from "./hit";
import { groupHeader, type Drawing } from "./layout";
import type { Point } from "./layers";
import type { Curve } from "./paths";
import { toDrawing, type View } from "./view";

/** The drawing, and what can be done to it; an action that is undefined cannot. */
export interface Surface {
  graph: Graph;
  drawing: Drawing;
  lines: Curve[];
  selected: ReadonlySet<string>;
  view: View;
  /** moves the view by hand */
  setView: (v: View) => void;
  onselect: (id: string, more: boolean) => void;
  /** a click that is no drag */
  onclick: (n: GraphNode | undefined, fold: boolean, more: boolean) => void;
  onplace: ((nodes: GraphNode[], by: Point) => void) | undefined;
  onmove: ((group: string) => void) | undefined;
  onband: ((ids: string[], more: boolean) => void) | undefined;
  onconnect: ((from: PortHit, to: PortHit) => void) | undefined;
}

const still = 3; // px on the screen by which a click may move
const snap = 6; // px on the screen

export class Pointer {
  /** on the screen */
  at = $state.raw<Point>({ x: 0, y: 0 });
  /** boxes that are dragged */
  dragged = $state.raw<Dragged>();
  /** group into which they would be moved; undefined: none */
  group = $state<string>();
  /** corners of the selection rectangle, in drawing px */
  band = $state.raw<{ from: Point; to: Point }>();
  /** link that is drawn */
  pending = $state.raw<{ port: PortHit; to: Point; over: PortHit | undefined }>();

  constructor(private readonly surface: () => Surface) {}

  /** Begins what a pressed pointer may become; place converts an event to the screen's px. */
  down(e: PointerEvent, canvas: HTMLCanvasElement, place: (e: PointerEvent) => Point): void {
    if (e.button > 1 || !e.isPrimary) return;
    const s = this.surface();
    const start = place(e);
    const h = hit(s.graph, s.drawing, toDrawing(s.view, start));
    const plain = e.button === 0;
    const banding = s.onband !== undefined && e.shiftKey && plain;
    if (plain && s.onconnect && h.port && !banding) this.pending = { port: h.port, to: h.port.at, over: undefined };
    const nodes = plain && !banding && !h.fold ? this.grabbed(h.node, toDrawing(s.view, start)) : [];
    let dragging = false;
    const move = (m: PointerEvent): void => {
      if (!m.isPrimary) return;
      const p = place(m);
      if (this.pending) return this.draw(toDrawing(s.view, p));
      if (!dragging && Math.hypot(p.x - start.x, p.y - start.y) <= still) return;
      dragging = true;
      this.at = p;
      if (banding) this.band = { from: toDrawing(s.view, start), to: toDrawing(s.view, p) };
      else if (nodes.length > 0) this.carry(nodes, { x: (p.x - start.x) / s.view.scale, y: (p.y - start.y) / s.view.scale }, toDrawing(s.view, p));
      else s.setView({ ...s.view, x: s.view.x + p.x - start.x, y: s.view.y + p.y - start.y });
    };
    const end = (m: PointerEvent): void => {
      if (!m.isPrimary) return;
      canvas.removeEventListener("pointermove", move);
      for (const type of ["pointerup", "pointercancel"] as const) canvas.removeEventListener(type, end);
      if (m.type === "pointercancel") this.cancel();
      else if (!this.drop() && !dragging) s.onclick(h.node, h.fold, e.shiftKey || e.ctrlKey || e.metaKey);
    };
    canvas.setPointerCapture(e.pointerId);
    canvas.addEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"] as const) canvas.addEventListener(type, end);
  }

  /** Ends a drag without effect. */
  cancel(): void {
    this.pending = this.band = this.dragged = this.group = undefined;
  }

  /** Returns the boxes that a drag from a point moves: the one there, or all that are selected with it. */
  private grabbed(n: GraphNode | undefined, at: Point): GraphNode[] {
    const { drawing, graph, selected, onplace, onmove } = this.surface();
    const r = n && drawing.rects.get(n.id);
    if (!n || !r || !(onplace ?? onmove)) return [];
    if (!selected.has(n.id)) return n.open && at.y > r.y + groupHeader ? [] : [n]; // an open group's contents move the view
    const all = [...selected].flatMap((id) => graph.nodes.get(id) ?? []);
    return [n, ...all.filter((x) => x !== n && x.parent === n.parent)];
  }

  private draw(to: Point): void {
    const { graph, drawing } = this.surface();
    if (!this.pending) return;
    const over = hit(graph, drawing, to).port;
    this.pending = { ...this.pending, to, over: over && over.outgoing !== this.pending.port.outgoing ? over : undefined };
  }

  private carry(nodes: GraphNode[], by: Point, at: Point): void {
    const { graph, drawing, lines, view, onmove } = this.surface();
    const into = onmove && groupAt(graph, drawing, at, new Set(nodes.map((n) => n.id)));
    this.group = into === (nodes[0]?.parent?.id ?? "") ? undefined : into;
    this.dragged = { nodes, by: straightened(lines, nodes, by, snap / view.scale) };
  }

  /** Does what the drag was for; reports whether there was something. */
  private drop(): boolean {
    const { pending, band, dragged, group } = this;
    const s = this.surface();
    this.cancel();
    const first = dragged?.nodes[0]?.id ?? "";
    if (first !== "" && s.onmove && !s.selected.has(first)) s.onselect(first, false);
    if (pending?.over) {
      const [from, to] = pending.port.outgoing ? [pending.port, pending.over] : [pending.over, pending.port];
      s.onconnect?.(from, to);
    } else if (band) {
      const within = rectOf(band.from, band.to);
      s.onband?.([...s.graph.nodes.keys()].filter((id) => covers(within, s.drawing.rects.get(id))), true);
    } else if (group !== undefined) s.onmove?.(group);
    else if (dragged) s.onplace?.(dragged.nodes, dragged.by);
    else return false;
    return true;
  }
}
