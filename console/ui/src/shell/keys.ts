// Keys of every page: digits select a page, / and Ctrl-K open the palette, ? lists the keys, Alt-S asks to stop the system, Alt-A
// swaps old and new value of the parameter that was changed last.
import type { App } from "../lib/app.svelte";
import { swapLast } from "../lib/changes";
import { pages } from "../lib/route.svelte";

const steering = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

/** Reports whether a key is meant for the element that has the focus: any key for a text field or list, those that move it for a slider, and those that choose for a box. */
export function isWriting({ target, key }: Pick<KeyboardEvent, "target" | "key">): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const kind = target instanceof HTMLInputElement ? target.type : "";
  if (kind === "range") return steering.has(key);
  if (kind === "checkbox" || kind === "radio") return key === " " || steering.has(key);
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

export function handleKey(e: KeyboardEvent, app: App): void {
  const palette = (e.key === "k" && (e.ctrlKey || e.metaKey)) || (e.key === "/" && !isWriting(e));
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
  if (app.palette !== null && e.key === "a" && (e.ctrlKey || e.metaKey) && !isWriting(e)) {
    e.preventDefault(); // what is typed next replaces the text with which the palette opens
    app.palette = "";
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || isWriting(e)) return;
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
