// The widget types of panels: title, initial size, bindings and options of each.

import type { Value } from "../../lib/wire";
import type { Binding } from "./panel";

/** An option of a widget, as a field of the inspector. */
export interface Field {
  key: string;
  label: string;
  kind: "number" | "text" | "switch" | "select" | "choices" | "signals" | "robot" | "module" | "json";
  /** options of a select */
  choices?: readonly string[];
  hint?: string;
}

/** A binding that a widget offers. */
export interface Role {
  /** "value" for widgets with one binding */
  name: string;
  label: string;
  kinds: readonly Binding["kind"][];
  /** the widget writes: of ports, only inputs can be bound */
  writes: boolean;
}

export interface Kind {
  type: string;
  title: string;
  size: readonly [number, number];
  roles: readonly Role[];
  fields: readonly Field[];
  options?: Readonly<Record<string, Value>>;
}

const shows: Role = { name: "value", label: "Shows", kinds: ["port", "param"], writes: false };
const sets: Role = { name: "value", label: "Sets", kinds: ["param", "port"], writes: true };
const range: readonly Field[] = [
  { key: "min", label: "Minimum", kind: "number", hint: "the parameter’s, or automatic" },
  { key: "max", label: "Maximum", kind: "number", hint: "the parameter’s, or automatic" },
];

export const KINDS: readonly Kind[] = [
  { type: "slider", title: "Slider", size: [6, 2], roles: [sets], fields: [...range, { key: "step", label: "Step", kind: "number", hint: "continuous" }] },
  {
    type: "button",
    title: "Button",
    size: [4, 2],
    roles: [{ name: "value", label: "Action", kinds: ["operation", "param", "port"], writes: true }],
    fields: [
      { key: "text", label: "Text", kind: "text" },
      { key: "args", label: "Arguments", kind: "json", hint: "[[1, 1], 5]" },
      { key: "press", label: "Value when pressed", kind: "json", hint: "true" },
      { key: "release", label: "Value when released", kind: "json", hint: "none: keeps the value" },
    ],
  },
  {
    type: "number",
    title: "Number",
    size: [4, 2],
    roles: [{ ...shows, label: "Shows" }],
    fields: [
      { key: "digits", label: "Decimals", kind: "number", hint: "automatic" },
      { key: "edit", label: "Editable", kind: "switch" },
    ],
  },
  { type: "radio", title: "Radio field", size: [6, 2], roles: [sets], fields: [{ key: "choices", label: "Choices, one per line: value text", kind: "choices" }], options: { choices: [{ value: 0, text: "off" }, { value: 1, text: "on" }] } },
  {
    type: "led",
    title: "LED",
    size: [3, 2],
    roles: [shows],
    fields: [
      { key: "above", label: "On above", kind: "number", hint: "0.5" },
      { key: "colour", label: "Colour", kind: "select", choices: ["ok", "warn", "bad", "accent"] },
    ],
  },
  {
    type: "switch",
    title: "Switch box",
    size: [4, 2],
    roles: [sets],
    fields: [
      { key: "on", label: "Value when on", kind: "json", hint: "true" },
      { key: "off", label: "Value when off", kind: "json", hint: "false" },
    ],
  },
  {
    type: "gauge",
    title: "Gauge",
    size: [5, 5],
    roles: [shows],
    fields: [...range, { key: "warn", label: "Warning from", kind: "number" }, { key: "bad", label: "Error from", kind: "number" }],
  },
  { type: "plot", title: "Plot", size: [12, 7], roles: [], fields: [{ key: "signals", label: "Signals", kind: "signals" }, { key: "window", label: "Time span (s)", kind: "number", hint: "10" }], options: { signals: [] } },
  {
    type: "joystick",
    title: "Joystick",
    size: [6, 6],
    roles: [
      { name: "x", label: "Horizontal", kinds: ["port", "param"], writes: true },
      { name: "y", label: "Vertical", kinds: ["port", "param"], writes: true },
    ],
    fields: [
      { key: "x_range", label: "Value at full right", kind: "number", hint: "1" },
      { key: "y_range", label: "Value at full up", kind: "number", hint: "1" },
      { key: "hold", label: "Keep position when released", kind: "switch" },
      { key: "gamepad", label: "Use a gamepad", kind: "switch" },
    ],
  },
  { type: "text", title: "Text", size: [6, 2], roles: [{ ...shows, label: "Value after the text" }], fields: [{ key: "text", label: "Text", kind: "text" }, { key: "large", label: "Large", kind: "switch" }], options: { text: "Text" } },
  { type: "view", title: "3-D view", size: [10, 9], roles: [], fields: [{ key: "robot", label: "Robot", kind: "robot" }] },
  { type: "own", title: "Custom widget", size: [6, 4], roles: [shows], fields: [{ key: "module", label: "File in widgets/", kind: "module" }, { key: "options", label: "Options", kind: "json", hint: "{}" }] },
];

/** Returns the kind of a widget type; undefined if it is unknown. */
export function kindOf(type: string): Kind | undefined {
  return KINDS.find((k) => k.type === type);
}
