// How dialogs open and close. Every <dialog> of the console has {@attach modal(() => onclose())}.
import { onDestroy } from "svelte";

/**
 * Shows a dialog above the page. A request of the browser to close it, such as the key Esc, calls onclose at once, which removes the
 * dialog: its event `close` comes a task later, and would undo what a key pressed in between has opened. A removed dialog gives the
 * focus back.
 */
export function modal(onclose: () => void): (dialog: HTMLDialogElement) => () => void {
  return (dialog) => {
    const before = document.activeElement;
    dialog.showModal();
    dialog.oncancel = (e) => {
      e.preventDefault();
      onclose();
    };
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  };
}

/**
 * Returns a function that closes a dialog when its work is done. It does nothing after the dialog was closed by hand: by then the same dialog may
 * be open again. It is called in the script of the dialog's component.
 */
export function whileOpen(onclose: () => void): () => void {
  let open = true;
  onDestroy(() => (open = false));
  return () => {
    if (open) onclose();
  };
}
