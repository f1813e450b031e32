// Gestures of fingers on a picture: one moves it, two zoom it, a tap selects, a long press shows what the mouse shows when it rests there.

/** A place in CSS pixels of the element. */
export interface Place {
  x: number;
  y: number;
}

/** Callbacks of fingers on an element. */
export interface FingerActions {
  /** Reports whether a finger at a place acts as the mouse does there: its pointer events reach the element's own listeners. */
  asMouse?(at: Place): boolean;
  /** One finger, or the middle between two, has moved by a distance, and two have spread by a factor about a place. */
  move(by: Place, factor: number, about: Place): void;
  tap(at: Place): void;
  /** A finger has rested for half a second; called again while it then moves. */
  press(at: Place): void;
}

const slop = 8; // px that a resting finger may move
const pressAfter = 500; // ms

/** Listens on an element until the returned function is called. Touches do not reach its other pointer listeners, except those of asMouse. */
export function listenToFingers(element: HTMLElement, actions: FingerActions): () => void {
  const fingers = new Map<number, Place>();
  let mouse: number | null = null; // finger that acts as the mouse
  let start: Place = { x: 0, y: 0 };
  let state: "none" | "resting" | "moving" | "pressing" = "none";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0; // the frame in which a press is decided

  const place = (e: PointerEvent): Place => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const span = (): { middle: Place; distance: number } => {
    const [a = start, b] = [...fingers.values()];
    return b === undefined ? { middle: a, distance: 0 } : { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, distance: Math.hypot(a.x - b.x, a.y - b.y) };
  };
  const press = (): void => {
    state = "pressing";
    actions.press(start);
  };
  // The browser delivers moves at the beginning of a frame. A busy page is late with them, but not with the timer: the next frame decides.
  const awaitPress = (): void => {
    timer = setTimeout(() => (frame = requestAnimationFrame(press)), pressAfter);
  };
  const cancelPress = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };

  const down = (e: PointerEvent): void => {
    if (e.pointerType !== "touch") return;
    const at = place(e);
    if (mouse === null && fingers.size === 0 && actions.asMouse?.(at) === true) {
      mouse = e.pointerId;
      return;
    }
    e.stopImmediatePropagation();
    if (mouse !== null || fingers.size === 2) return;
    fingers.set(e.pointerId, at);
    element.setPointerCapture(e.pointerId);
    cancelPress();
    state = fingers.size === 1 ? "resting" : "moving";
    if (state === "moving") return;
    start = at;
    awaitPress();
  };
  const move = (e: PointerEvent): void => {
    if (e.pointerType !== "touch" || e.pointerId === mouse) return;
    e.stopImmediatePropagation();
    if (!fingers.has(e.pointerId)) return;
    const at = place(e);
    if (state === "resting" && Math.hypot(at.x - start.x, at.y - start.y) < slop) return;
    cancelPress();
    if (state === "resting") state = "moving";
    const before = span();
    fingers.set(e.pointerId, at);
    const { middle, distance } = span();
    if (state === "pressing") actions.press(at);
    else actions.move({ x: middle.x - before.middle.x, y: middle.y - before.middle.y }, distance > 0 && before.distance > 0 ? distance / before.distance : 1, middle);
  };
  const end = (e: PointerEvent): void => {
    if (e.pointerType !== "touch") return;
    if (e.pointerId === mouse) {
      mouse = null;
      return;
    }
    e.stopImmediatePropagation();
    if (!fingers.delete(e.pointerId)) return;
    cancelPress();
    if (state === "resting" && e.type === "pointerup") actions.tap(start);
    state = fingers.size === 0 ? "none" : "moving";
  };
  const menu = (e: Event): void => {
    if (state !== "none" || mouse !== null) e.preventDefault();
  };

  element.style.touchAction = "none";
  const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener as EventListener, { capture: true });
  element.addEventListener("contextmenu", menu);
  return () => {
    cancelPress();
    for (const [type, listener] of Object.entries(listeners)) element.removeEventListener(type, listener as EventListener, { capture: true });
    element.removeEventListener("contextmenu", menu);
  };
}
