// How dialogs open and close. Every <dialog> of the console has {@attach modal(() => onclose())}.

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
