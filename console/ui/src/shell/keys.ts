// Keys that work on every page: digits for pages, / and Ctrl-K for the palette.
import type { Console } from "../lib/console.svelte";
import { pages } from "../lib/route.svelte";

/** Whether the user is writing, so that letters and digits belong to the field. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

export function handleKey(e: KeyboardEvent, app: Console, openPalette: () => void): void {
  const palette = (e.key === "k" && (e.ctrlKey || e.metaKey)) || (e.key === "/" && !isWriting(e.target));
  if (palette) {
    e.preventDefault();
    openPalette();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || isWriting(e.target)) return;
  const page = pages[Number(e.key) - 1];
  if (page && e.key !== " ") {
    e.preventDefault();
    app.route.go(page.name);
  }
}
