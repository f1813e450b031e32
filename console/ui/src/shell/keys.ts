// Keys of every page: digits select a page, / and Ctrl-K open the palette, ? lists the keys, Alt-S asks to stop the system, Alt-A
// swaps old and new value of the parameter that was changed last.
import type { App } from "../lib/app.svelte";
import { swapLast } from "../lib/changes";
import { pages } from "../lib/route.svelte";

/** Reports whether a text field has the focus, so that letters and digits go to the field. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

export function handleKey(e: KeyboardEvent, app: App): void {
  const palette = (e.key === "k" && (e.ctrlKey || e.metaKey)) || (e.key === "/" && !isWriting(e.target));
  if (palette) {
    e.preventDefault();
    app.palette = "";
    return;
  }
  if (e.altKey && !e.ctrlKey && !e.metaKey && e.code === "KeyS" && app.can("drive") && app.current) {
    e.preventDefault(); // also while a text field has the focus
    app.ending ??= { action: "stop" };
    return;
  }
  if (e.altKey && !e.ctrlKey && !e.metaKey && e.code === "KeyA" && app.can("tune") && app.current) {
    e.preventDefault();
    if (!e.repeat) void swapLast(app);
    return;
  }
  if (app.palette !== null && e.key === "a" && (e.ctrlKey || e.metaKey) && !isWriting(e.target)) {
    e.preventDefault(); // what is typed next replaces the text with which the palette opens
    app.palette = "";
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || isWriting(e.target)) return;
  if (app.palette !== null && (e.key.length === 1 || e.key === "Enter")) {
    e.preventDefault(); // the palette is still being loaded: it opens with what was typed, and carries it out
    app.palette += e.key === "Enter" ? "\n" : e.key;
    return;
  }
  if (e.key === "?") {
    e.preventDefault();
    app.keys = !app.keys;
    return;
  }
  const page = pages[Number(e.key) - 1];
  if (page && e.key !== " ") {
    e.preventDefault();
    app.route.open([page.name]);
  }
}
