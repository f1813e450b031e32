// The properties of every widget, and helpers to read its options.

import type { Value } from "../../../lib/wire";
import type { Bound } from "../bound.svelte";
import type { Widget } from "../panel";
import type { Bounds } from "./span";

export interface WidgetProps {
  widget: Widget;
  /** The binding named "value": the only one of most widgets. */
  value: Bound;
  /** Bindings by role, for widgets with several. */
  bound: Readonly<Record<string, Bound>>;
  /** Whether the panel is being edited; widgets then send nothing. */
  editing: boolean;
}

/** Returns an option as a number; otherwise if it is not a number. */
export function numberOption(widget: Widget, key: string, otherwise: number): number {
  const value = widget.options[key];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** Returns the bounds that a widget's options state, otherwise those of its parameter. */
export function statedBounds(widget: Widget, value: Bound): Bounds {
  const stated = (key: "min" | "max"): number | undefined => {
    const n = numberOption(widget, key, NaN);
    return Number.isNaN(n) ? value.bounds[key] : n;
  };
  return { min: stated("min"), max: stated("max") };
}

/** Returns an option as text; otherwise if it is not text. */
export function textOption(widget: Widget, key: string, otherwise: string): string {
  const value = widget.options[key];
  return typeof value === "string" ? value : otherwise;
}

/** Formats a value. */
export function formatAny(value: Value | undefined): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
