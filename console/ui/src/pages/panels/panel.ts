// A panel: widgets on a grid, each bound to ports, parameters or operations. The server stores it as YAML; this file converts
// the YAML's value. Unknown keys are kept.

import { splitElements } from "../../lib/elements";
import type { Value } from "../../lib/wire";

/** Columns of the grid; a row is ROW pixels high. */
export const COLUMNS = 24;
export const ROW = 36;

/** The port or parameter that a widget reads or writes: "block.port", "block.parameter" or "block.operation". */
export interface Binding {
  kind: "port" | "param" | "operation";
  ref: string;
}

/** Place and size in cells of the grid. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Widget {
  /** Identifies the widget while the page is open; not saved. */
  id: number;
  type: string;
  title: string;
  at: Place;
  /** By role: most widgets have only "value", a joystick has "x" and "y". */
  bind: Readonly<Record<string, Binding>>;
  options: Readonly<Record<string, Value>>;
}

export interface Panel {
  title: string;
  widgets: readonly Widget[];
  /** Unknown keys of the file. */
  rest: Readonly<Record<string, Value>>;
}

type Fields = Record<string, Value>;

/** Reads a panel; problems describes the parts that are invalid and left out. */
export function readPanel(value: Value): { panel: Panel; problems: string[] } {
  const problems: string[] = [];
  if (!isFields(value)) return { panel: { title: "", widgets: [], rest: {} }, problems: ["invalid panel: expected a map with title and widgets"] };
  const { title, widgets, ...rest } = value;
  const list: Widget[] = [];
  for (const [i, item] of (Array.isArray(widgets) ? widgets : []).entries()) {
    const widget = readWidget(item, i, list);
    if (typeof widget === "string") problems.push(`widget ${i + 1}: ${widget}`);
    else list.push(widget);
  }
  return { panel: { title: typeof title === "string" ? title : "", widgets: list, rest }, problems };
}

/** Returns the panel's value as it is saved. */
export function writePanel(panel: Panel): Value {
  const widgets = [...panel.widgets].sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x).map(writeWidget);
  return { title: panel.title, ...panel.rest, widgets };
}

/** Returns the topmost free place for a widget of the given size. */
export function freePlace(widgets: readonly Widget[], w: number, h: number): Place {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= COLUMNS; x++) {
      const place = { x, y, w, h };
      if (!widgets.some(({ at }) => overlap(at, place))) return place;
    }
  }
}

/** Returns an unused id. */
export function freshId(widgets: readonly Widget[]): number {
  return Math.max(0, ...widgets.map((w) => w.id)) + 1;
}

/** Splits "block.name[elements]" at the last dot of port = "block.name"; elements is null without a selection. */
export function splitRef(ref: string): { block: string; name: string; port: string; elements: number[] | null } {
  const { port, elements } = splitElements(ref);
  const dot = port.lastIndexOf(".");
  return { block: port.slice(0, Math.max(0, dot)), name: port.slice(dot + 1), port, elements };
}

/** Returns what elements of a value are: of one element itself, of several a list; "NaN" for one that the value does not have. */
export function pick(value: Value, elements: readonly number[] | null): Value {
  if (elements === null) return value;
  const list = elements.map((i): Value => (Array.isArray(value) ? (value[i] ?? "NaN") : "NaN"));
  return list.length === 1 ? (list[0] ?? "NaN") : list;
}

/** Returns a list with other values in the place of elements: one value for one element, a list of as many for several. */
export function put(whole: Value | undefined, elements: readonly number[], value: Value): Value {
  const values = elements.length === 1 ? [value] : value;
  if (!Array.isArray(values) || values.length !== elements.length) throw new Error(`${elements.length} elements want a list of as many values, not ${JSON.stringify(value)}`);
  const list = Array.isArray(whole) ? [...whole] : [];
  while (list.length <= Math.max(...elements)) list.push(0);
  elements.forEach((i, k) => (list[i] = values[k] ?? 0));
  return list;
}

function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function readWidget(value: Value, index: number, before: readonly Widget[]): Widget | string {
  if (!isFields(value)) return "expected a map with type and at";
  const { type, title, at, bind, ...options } = value;
  if (typeof type !== "string" || type === "") return "the key type is missing";
  const numbers = Array.isArray(at) ? at.filter((n): n is number => typeof n === "number" && Number.isFinite(n)).map(Math.round) : [];
  const [x = 0, y = 0, w = 4, h = 2] = numbers;
  const place = numbers.length === 4 ? fit({ x, y, w, h }) : freePlace(before, 4, 2);
  const bindings = readBindings(bind ?? {});
  if (typeof bindings === "string") return bindings;
  return { id: index + 1, type, title: typeof title === "string" ? title : "", at: place, bind: bindings, options };
}

/** Clamps a place to the grid. */
function fit({ x, y, w, h }: Place): Place {
  const width = Math.max(1, Math.min(COLUMNS, w));
  return { x: Math.max(0, Math.min(COLUMNS - width, x)), y: Math.max(0, y), w: width, h: Math.max(1, Math.min(60, h)) };
}

function readBindings(value: Value): Record<string, Binding> | string {
  if (!isFields(value)) return "bind: expected a map {port: block.port}, {param: …} or {operation: …}";
  const one = readBinding(value);
  if (one !== null) return { value: one };
  const all: Record<string, Binding> = {};
  for (const [role, part] of Object.entries(value)) {
    const binding = isFields(part) ? readBinding(part) : null;
    if (binding === null) return `bind: ${role}: expected {port: …}, {param: …} or {operation: …}`;
    all[role] = binding;
  }
  return all;
}

function readBinding(fields: Fields): Binding | null {
  for (const kind of ["port", "param", "operation"] as const) {
    const ref = fields[kind];
    if (typeof ref === "string") return { kind, ref };
  }
  return null;
}

function writeWidget({ type, title, at, bind, options }: Widget): Value {
  const entries = Object.entries(bind).map(([role, { kind, ref }]): [string, Value] => [role, { [kind]: ref }]);
  const single = bind["value"];
  const bound = entries.length === 1 && single !== undefined ? { [single.kind]: single.ref } : Object.fromEntries(entries);
  return { type, ...(title === "" ? {} : { title }), at: [at.x, at.y, at.w, at.h], ...(entries.length === 0 ? {} : { bind: bound }), ...options };
}

function isFields(value: Value | undefined): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
