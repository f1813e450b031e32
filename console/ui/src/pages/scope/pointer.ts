// What the mouse does in the picture: it moves cursors and the trigger's level, zooms into a span drawn over the traces,
// moves the picture (Shift or middle button), and zooms about the pointer with the wheel.

import type { Plot } from "./plot";
import type { View } from "./view";

/** What the picture answers to the mouse. Times in seconds of the system. */
export interface PointerActions {
  view(): View | null;
  moveCursor(which: 0 | 1, time: number): void;
  moveLevel(level: number): void;
  /** Shows a span of time. */
  zoom(from: number, to: number): void;
  /** Zooms by a factor about a time. */
  scale(factor: number, about: number): void;
  /** Moves the picture; it starts at the first call with start. */
  pan(from: number, to: number): void;
  /** Back to what is running. */
  home(): void;
  /** Where the pointer is; null when it left. */
  hover(time: number | null): void;
}

const near = 7; // CSS pixels

type Grip = { kind: "cursor"; which: 0 | 1 } | { kind: "level"; unit: string } | { kind: "zoom"; start: number } | { kind: "pan"; start: number; view: View };

/** Listens on the plot's area until the returned function is called. */
export function handlePointer(plot: Plot, actions: PointerActions): () => void {
  const area = plot.area;
  let grip: Grip | null = null;

  const place = (e: PointerEvent | WheelEvent): { x: number; y: number } => {
    const box = area.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };

  const gripAt = (x: number, y: number): Grip | null => {
    const view = actions.view();
    const found = view?.cursors?.findIndex((time) => Math.abs(plot.xOf(time) - x) < near) ?? -1;
    if (found >= 0) return { kind: "cursor", which: found === 0 ? 0 : 1 };
    const trigger = view?.trigger;
    if (trigger && Math.abs(plot.yOf(trigger.level, trigger.unit) - y) < near && x > area.clientWidth - 30) return { kind: "level", unit: trigger.unit };
    return null;
  };

  const down = (e: PointerEvent): void => {
    if (e.button > 1) return;
    const { x, y } = place(e);
    const view = actions.view();
    if (view === null) return;
    grip = gripAt(x, y) ?? (e.shiftKey || e.button === 1 ? { kind: "pan", start: x, view } : { kind: "zoom", start: x });
    area.setPointerCapture(e.pointerId);
    e.preventDefault();
  };

  const move = (e: PointerEvent): void => {
    const { x, y } = place(e);
    actions.hover(plot.timeAt(x));
    if (grip === null) {
      const at = gripAt(x, y);
      area.style.cursor = at === null ? "crosshair" : at.kind === "level" ? "ns-resize" : "ew-resize";
    } else if (grip.kind === "cursor") actions.moveCursor(grip.which, plot.timeAt(x));
    else if (grip.kind === "level") actions.moveLevel(plot.valueAt(y, grip.unit));
    else if (grip.kind === "zoom") plot.select([grip.start, x]);
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
    }
    plot.select(null);
    grip = null;
  };

  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    actions.scale(e.deltaY > 0 ? 1.25 : 0.8, plot.timeAt(place(e).x));
  };
  const leave = (): void => actions.hover(null);
  const home = (): void => actions.home();

  area.addEventListener("pointerdown", down);
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerup", up);
  area.addEventListener("pointerleave", leave);
  area.addEventListener("wheel", wheel, { passive: false });
  area.addEventListener("dblclick", home);
  return () => {
    area.removeEventListener("pointerdown", down);
    area.removeEventListener("pointermove", move);
    area.removeEventListener("pointerup", up);
    area.removeEventListener("pointerleave", leave);
    area.removeEventListener("wheel", wheel);
    area.removeEventListener("dblclick", home);
  };
}
