// The agreement between the console and a user's own widget: one small ES module in the folder widgets beside the system file.
// docs/howto/write-a-widget.md tells it to its readers.

import type { Value } from "../../../lib/wire";

/** What the module gets. */
export interface OwnHost {
  /** "options" of the widget in the panel's file. */
  readonly options: Value;
  /** Unit of what is bound; "" without one. */
  readonly unit: string;
  /** Whether the user may write. */
  readonly writable: boolean;
  /** Sets the bound parameter, or feeds the bound input. */
  write(value: Value): void;
  /** Runs the bound operation. */
  call(...args: Value[]): Promise<Value | undefined>;
}

/** What its mount returns; all of it may be left out. */
export interface OwnWidget {
  /** Shows a new value of what is bound. */
  update?(value: Value): void;
  /** Frees what it holds. */
  end?(): void;
}

/** What the module exports as default. */
export interface OwnModule {
  mount(element: HTMLElement, host: OwnHost): OwnWidget | undefined;
}

/** Loads a user's module; the error says what it lacks. */
export async function loadOwn(system: string, name: string): Promise<OwnModule> {
  const url = `/widget/${encodeURIComponent(system)}/${encodeURIComponent(name)}.js`;
  const module = (await import(/* @vite-ignore */ url)) as { default?: Partial<OwnModule> };
  if (typeof module.default?.mount !== "function") throw new Error(`widgets/${name}.js exports no default with a function mount`);
  return module.default as OwnModule;
}
