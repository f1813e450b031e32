// The widgets that a panel may hold: what each is called, how large it begins, what it may be bound to, and what can be set of it.

import type { Value } from "../../lib/wire";
import type { Binding } from "./panel";

/** An option of a widget, as the inspector asks for it. */
export interface Field {
  key: string;
  label: string;
  kind: "number" | "text" | "switch" | "select" | "choices" | "signals" | "robot" | "module" | "json";
  /** Of a select. */
  choices?: readonly string[];
  hint?: string;
}

/** One thing to bind. */
export interface Role {
  /** "value" for widgets with one binding. */
  name: string;
  label: string;
  kinds: readonly Binding["kind"][];
  /** It writes: of ports, only inputs make sense. */
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
  { key: "min", label: "From", kind: "number", hint: "of the parameter" },
  { key: "max", label: "To", kind: "number", hint: "of the parameter" },
];

export const KINDS: readonly Kind[] = [
  { type: "slider", title: "Slider", size: [6, 2], roles: [sets], fields: [...range, { key: "step", label: "Step", kind: "number", hint: "any" }] },
  {
    type: "button",
    title: "Button",
    size: [4, 2],
    roles: [{ name: "value", label: "Does", kinds: ["operation", "param", "port"], writes: true }],
    fields: [
      { key: "text", label: "Text", kind: "text" },
      { key: "args", label: "Arguments", kind: "json", hint: "[[1, 1], 5]" },
      { key: "press", label: "Value pressed", kind: "json", hint: "true" },
      { key: "release", label: "Value released", kind: "json", hint: "none: it stays" },
    ],
  },
  {
    type: "number",
    title: "Number",
    size: [4, 2],
    roles: [{ ...shows, label: "Shows" }],
    fields: [
      { key: "digits", label: "Decimals", kind: "number", hint: "as needed" },
      { key: "edit", label: "Can be typed over", kind: "switch" },
    ],
  },
  { type: "radio", title: "Radio field", size: [6, 2], roles: [sets], fields: [{ key: "choices", label: "Choices, a line each: value text", kind: "choices" }], options: { choices: [{ value: 0, text: "off" }, { value: 1, text: "on" }] } },
  {
    type: "led",
    title: "LED",
    size: [3, 2],
    roles: [shows],
    fields: [
      { key: "above", label: "Lit above", kind: "number", hint: "0.5" },
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
    fields: [...range, { key: "warn", label: "Warns from", kind: "number" }, { key: "bad", label: "Bad from", kind: "number" }],
  },
  { type: "plot", title: "Plot", size: [12, 7], roles: [], fields: [{ key: "signals", label: "Signals", kind: "signals" }, { key: "window", label: "Seconds", kind: "number", hint: "10" }], options: { signals: [] } },
  {
    type: "joystick",
    title: "Joystick",
    size: [6, 6],
    roles: [
      { name: "x", label: "To the right", kinds: ["port", "param"], writes: true },
      { name: "y", label: "Upwards", kinds: ["port", "param"], writes: true },
    ],
    fields: [
      { key: "x_range", label: "Full right", kind: "number", hint: "1" },
      { key: "y_range", label: "Full up", kind: "number", hint: "1" },
      { key: "hold", label: "Stays where it is let go", kind: "switch" },
      { key: "gamepad", label: "Follows a gamepad", kind: "switch" },
    ],
  },
  { type: "text", title: "Text", size: [6, 2], roles: [{ ...shows, label: "Value at its end" }], fields: [{ key: "text", label: "Text", kind: "text" }, { key: "large", label: "Large", kind: "switch" }], options: { text: "Text" } },
  { type: "view", title: "3-D view", size: [10, 9], roles: [], fields: [{ key: "robot", label: "Robot", kind: "robot" }] },
  { type: "own", title: "Own widget", size: [6, 4], roles: [shows], fields: [{ key: "module", label: "File in widgets/", kind: "module" }, { key: "options", label: "Its options", kind: "json", hint: "{}" }] },
];

/** The kind of a type; undefined for one that is not known here. */
export function kindOf(type: string): Kind | undefined {
  return KINDS.find((k) => k.type === type);
}
