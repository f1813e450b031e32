// The interface between the console and custom widgets: ES modules in the folder widgets beside the system file.
// Documented in docs/howto/write-a-widget.md.

import type { Value } from "../../../lib/wire";

/** The console's side, passed to the module. */
export interface CustomHost {
  /** The key options of the widget in the panel's file. */
  readonly options: Value;
  /** Unit of the bound value; "" without one. */
  readonly unit: string;
  /** Whether the user can write. */
  readonly writable: boolean;
  /** Sets the bound parameter, or overrides the bound input. */
  write(value: Value): void;
  /** Calls the bound operation. */
  call(...args: Value[]): Promise<Value | undefined>;
}

/** The result of mount; all members are optional. */
export interface CustomWidget {
  /** Shows a new bound value. */
  update?(value: Value): void;
  /** Releases the widget's resources. */
  end?(): void;
}

/** The module's default export. */
export interface CustomModule {
  mount(element: HTMLElement, host: CustomHost): CustomWidget | undefined;
}

/** Loads a module; throws an Error if its default export has no function mount. */
export async function loadModule(system: string, name: string): Promise<CustomModule> {
  const url = `/widget/${encodeURIComponent(system)}/${encodeURIComponent(name)}.js`;
  const module = (await import(/* @vite-ignore */ url)) as { default?: Partial<CustomModule> };
  if (typeof module.default?.mount !== "function") throw new Error(`widgets/${name}.js: the default export has no function mount`);
  return module.default as CustomModule;
}
