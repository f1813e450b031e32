// What every widget gets.

import type { Value } from "../../../lib/wire";
import type { Bound } from "../bound.svelte";
import type { Widget } from "../panel";

export interface WidgetProps {
  widget: Widget;
  /** The binding named "value": the only one of most widgets. */
  value: Bound;
  /** Bindings by role, for widgets with several. */
  bound: Readonly<Record<string, Bound>>;
  /** While the panel is edited nothing is sent. */
  editing: boolean;
}

/** An option as a number; otherwise where it is none. */
export function numberOption(widget: Widget, key: string, otherwise: number): number {
  const value = widget.options[key];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** An option as text; otherwise where it is none. */
export function textOption(widget: Widget, key: string, otherwise: string): string {
  const value = widget.options[key];
  return typeof value === "string" ? value : otherwise;
}

/** A value in a few characters. */
export function sayAny(value: Value | undefined): string {
  if (value === undefined || value === null) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}
