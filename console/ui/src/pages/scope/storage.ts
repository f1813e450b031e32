// Stores the scope's settings of each system in the browser.

import type { Saved } from "./scope.svelte";

function key(system: string): string {
  return `sinew.scope.${system}`;
}

export function save(system: string, scope: Saved): void {
  localStorage.setItem(key(system), JSON.stringify(scope));
}

/** Returns the stored settings; null if there are none or they are invalid. */
export function load(system: string): Saved | null {
  try {
    const saved = JSON.parse(localStorage.getItem(key(system)) ?? "null") as Partial<Saved> | null;
    if (saved === null || !Array.isArray(saved.names) || typeof saved.window !== "number" || saved.trigger === undefined) return null;
    return { names: saved.names, panes: saved.panes ?? [], window: saved.window, trigger: saved.trigger, triggerOn: saved.triggerOn ?? "", axes: saved.axes ?? {} };
  } catch {
    return null;
  }
}
