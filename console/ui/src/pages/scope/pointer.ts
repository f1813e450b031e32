// Mouse and fingers on the picture. The mouse moves cursors and the trigger level, zooms into a selected time span, pans (Shift or
// middle button), shifts the compared recording (Ctrl), and zooms about the pointer with the wheel. One finger moves cursors and the
// trigger level, and pans elsewhere; two fingers zoom; a long press reads the values at a time.

import { listenToFingers } from "../../lib/fingers";
import type { Plot } from "./plot";
import type { View } from "./view";

/** Callbacks of mouse and fingers. Times in seconds of the system. */
export interface PointerActions {
  view(): View | null;
  moveCursor(which: 0 | 1, time: number): void;
  moveLevel(level: number): void;
  /** Shows a time span. */
  zoom(from: number, to: number): void;
  /** Zooms by a factor about a time. */
  scale(factor: number, about: number): void;
  /** Shows a time span while it is panned, or zoomed with two fingers. */
  pan(from: number, to: number): void;
  /** Draws the compared recording later by a time in s; null if nothing is compared. */
  shift: ((seconds: number) => void) | null;
  /** Returns to the running picture. */
  home(): void;
  /** Time at the pointer; null after it has left. */
  hover(time: number | null): void;
  /** A click or tap that is no drag. */
  tap?(time: number): void;
}

const near = 7; // CSS pixels between the mouse and what it grips
const nearFinger = 22;

type Grip = { kind: "cursor"; which: 0 | 1 } | { kind: "level"; unit: string } | { kind: "shift"; last: number } | { kind: "zoom"; start: number } | { kind: "pan"; start: number; view: View };

/** Listens on the plot's area until the returned function is called. */
export function handlePointer(plot: Plot, actions: PointerActions): () => void {
  const area = plot.area;
  let grip: Grip | null = null;

  const place = (e: PointerEvent | WheelEvent): { x: number; y: number } => {
    const box = area.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };

  const reach = (e: PointerEvent): number => (e.pointerType === "touch" ? nearFinger : near);
  const gripAt = (x: number, y: number, near: number): Grip | null => {
    const view = actions.view();
    const found = view?.cursors?.findIndex((time) => Math.abs(plot.xOf(time) - x) < near) ?? -1;
    if (found >= 0) return { kind: "cursor", which: found === 0 ? 0 : 1 };
    const trigger = view?.trigger;
    if (trigger && Math.abs(plot.yOf(trigger.level, trigger.unit) - y) < near && x > area.clientWidth - 4 * near) return { kind: "level", unit: trigger.unit };
    return null;
  };

  const down = (e: PointerEvent): void => {
    if (e.button > 1) return;
    const { x, y } = place(e);
    const view = actions.view();
    if (view === null) return;
    grip = e.ctrlKey && actions.shift !== null ? { kind: "shift", last: x } : gripAt(x, y, reach(e)) ?? (e.shiftKey || e.button === 1 ? { kind: "pan", start: x, view } : { kind: "zoom", start: x });
    area.setPointerCapture(e.pointerId);
    e.preventDefault();
  };

  const move = (e: PointerEvent): void => {
    const { x, y } = place(e);
    actions.hover(plot.timeAt(x));
    if (grip === null) {
      const at = gripAt(x, y, reach(e));
      area.style.cursor = at === null ? "crosshair" : at.kind === "level" ? "ns-resize" : "ew-resize";
    } else if (grip.kind === "cursor") actions.moveCursor(grip.which, plot.timeAt(x));
    else if (grip.kind === "level") actions.moveLevel(plot.valueAt(y, grip.unit));
    else if (grip.kind === "shift") {
      actions.shift?.(plot.timeAt(x) - plot.timeAt(grip.last));
      grip.last = x;
    } else if (grip.kind === "zoom") plot.select([grip.start, x]);
    else {
      const shift = ((grip.start - x) * (grip.view.to - grip.view.from)) / area.clientWidth;
      actions.pan(grip.view.from + shift, grip.view.to + shift);
    }
  };

  const up = (e: PointerEvent): void => {
    const { x } = place(e);
    if (grip?.kind === "zoom" && Math.abs(x - grip.start) > near) {
      const ends = [plot.timeAt(grip.start), plot.timeAt(x)].sort((a, b) => a - b);
      actions.zoom(ends[0] ?? 0, ends[1] ?? 1);
    } else if (grip?.kind === "zoom") actions.tap?.(plot.timeAt(x));
    plot.select(null);
    grip = null;
  };

  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    actions.scale(e.deltaY > 0 ? 1.25 : 0.8, plot.timeAt(place(e).x));
  };
  const leave = (e: PointerEvent): void => {
    if (e.pointerType !== "touch") actions.hover(null); // after a long press, the values stay until the next touch
  };
  const home = (): void => actions.home();

  let asked: { view: View | null; from: number; to: number } = { view: null, from: 0, to: 0 };
  const releaseFingers = listenToFingers(area, {
    asMouse: ({ x, y }) => gripAt(x, y, nearFinger) !== null,
    move: (by, factor, about) => {
      const view = actions.view();
      if (view === null) return;
      const now = view === asked.view ? asked : view; // two fingers move before the picture is drawn again
      const perPixel = (now.to - now.from) / area.clientWidth;
      const from = now.from + (about.x - by.x) * perPixel - (about.x * perPixel) / factor;
      asked = { view, from, to: from + (now.to - now.from) / factor };
      actions.pan(asked.from, asked.to);
    },
    tap: ({ x }) => {
      actions.hover(null);
      actions.tap?.(plot.timeAt(x));
    },
    press: ({ x }) => actions.hover(plot.timeAt(x)),
  });

  area.addEventListener("pointerdown", down);
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerup", up);
  area.addEventListener("pointerleave", leave);
  area.addEventListener("wheel", wheel, { passive: false });
  area.addEventListener("dblclick", home);
  return () => {
    releaseFingers();
    area.removeEventListener("pointerdown", down);
    area.removeEventListener("pointermove", move);
    area.removeEventListener("pointerup", up);
    area.removeEventListener("pointerleave", leave);
    area.removeEventListener("wheel", wheel);
    area.removeEventListener("dblclick", home);
  };
}
