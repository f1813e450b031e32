// Signals that are dragged from one place of the console to another, as onto the scope or a widget of a panel.

const mime = "application/x-sinew-signal";

/** Begins to drag a port, given as "block.port". */
export function dragSignal(e: DragEvent, ref: string): void {
  e.dataTransfer?.setData(mime, ref);
  e.dataTransfer?.setData("text/plain", ref);
  if (e.dataTransfer) e.dataTransfer.effectAllowed = "copyLink";
}

/** Whether what is dragged is a signal. */
export function holdsSignal(e: DragEvent): boolean {
  return e.dataTransfer?.types.includes(mime) ?? false;
}

/** The signal that was dropped; null where it is something else. */
export function droppedSignal(e: DragEvent): string | null {
  return e.dataTransfer?.getData(mime) || null;
}
