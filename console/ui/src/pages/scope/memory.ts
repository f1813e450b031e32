// What the scope of each system showed last, kept by the browser.

import type { Saved } from "./scope.svelte";

function key(system: string): string {
  return `sinew.scope.${system}`;
}

export function save(system: string, scope: Saved): void {
  localStorage.setItem(key(system), JSON.stringify(scope));
}

/** What was saved; null where there is nothing that can be understood. */
export function load(system: string): Saved | null {
  try {
    const saved = JSON.parse(localStorage.getItem(key(system)) ?? "null") as Partial<Saved> | null;
    if (saved === null || !Array.isArray(saved.names) || typeof saved.window !== "number" || saved.trigger === undefined) return null;
    return { names: saved.names, window: saved.window, trigger: saved.trigger, triggerOn: saved.triggerOn ?? "", axes: saved.axes ?? {} };
  } catch {
    return null;
  }
}
