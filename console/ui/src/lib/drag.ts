// Drag and drop of signals between pages and widgets.

const mime = "application/x-sinew-signal";

/** Starts dragging a port, given as "block.port". */
export function dragSignal(e: DragEvent, ref: string): void {
  e.dataTransfer?.setData(mime, ref);
  e.dataTransfer?.setData("text/plain", ref);
  if (e.dataTransfer) e.dataTransfer.effectAllowed = "copyLink";
}

/** Reports whether the dragged item is a signal. */
export function holdsSignal(e: DragEvent): boolean {
  return e.dataTransfer?.types.includes(mime) ?? false;
}

/** Returns the dropped signal; null if the item is not a signal. */
export function droppedSignal(e: DragEvent): string | null {
  return e.dataTransfer?.getData(mime) || null;
}
