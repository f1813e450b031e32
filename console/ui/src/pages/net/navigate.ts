// Moves and zooms the drawing of the net: with the wheel, one finger and two fingers.
import { listenToFingers, type FingerActions } from "../../lib/fingers";
import type { Point } from "./layers";
import { zoomed, type View } from "./view";

/** Callbacks of navigation. Places in CSS pixels of the canvas. */
export interface NavigationActions extends Omit<FingerActions, "move"> {
  view(): View;
  show(view: View): void;
}

/** Listens on the canvas until the returned function is called. */
export function navigate(canvas: HTMLCanvasElement, actions: NavigationActions): () => void {
  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    const [view, box] = [actions.view(), canvas.getBoundingClientRect()];
    const at: Point = { x: e.clientX - box.left, y: e.clientY - box.top };
    actions.show(e.shiftKey ? { ...view, x: view.x - e.deltaY - e.deltaX } : zoomed(view, Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), at));
  };
  const release = listenToFingers(canvas, {
    ...actions,
    move: (by, factor, about) => {
      const view = actions.view();
      actions.show(zoomed({ ...view, x: view.x + by.x, y: view.y + by.y }, factor, about));
    },
  });
  canvas.addEventListener("wheel", wheel, { passive: false });
  return () => {
    release();
    canvas.removeEventListener("wheel", wheel);
  };
}
