// Moves of the pointer as soon as the device reports them: browsers deliver pointermove once a frame, and pointerrawupdate at once, to pages of a secure origin.

/** Delivers raw moves to an element as pointermove while it is active, in place of those of frames where there are any. Returns what ends that. */
export function moveAtOnce(element: HTMLElement, active: () => boolean): () => void {
  let raw = false; // whether the browser has delivered some
  const deliver = (e: Event): void => {
    if (!(e instanceof PointerEvent) || !active()) return;
    raw = true;
    const move = new PointerEvent("pointermove", e);
    Object.defineProperty(move, "timeStamp", { value: e.timeStamp });
    element.dispatchEvent(move);
  };
  const leaveOut = (e: PointerEvent): void => {
    if (e.isTrusted && raw && active()) e.stopImmediatePropagation();
  };
  element.addEventListener("pointerrawupdate", deliver);
  element.addEventListener("pointermove", leaveOut, true);
  return () => {
    element.removeEventListener("pointerrawupdate", deliver);
    element.removeEventListener("pointermove", leaveOut, true);
  };
}
