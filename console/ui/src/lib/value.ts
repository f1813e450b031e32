// Formats values of ports and parameters, and parses user input.
import { asBulk, firstElements, type Bulk } from "./bulk";
import type { Value } from "./wire";

/**
 * Formats a value for a label: numbers with the given significant digits, long text shortened to about `most` characters. A list or map ends
 * after a whole element; a number is never shortened. A value with a length of its own shows its first elements and how many there are.
 */
export function show(v: Value | undefined, digits = 5, most = 60): string {
  if (typeof v === "string") return v.length > most ? v.slice(0, most - 1) + "…" : v;
  return format(v, digits, most);
}

function format(v: Value | undefined, digits: number, most: number): string {
  if (v === undefined || v === null) return "–";
  if (typeof v === "number") return number(v, digits);
  if (typeof v === "string" || typeof v === "boolean") return String(v);
  const b = asBulk(v);
  if (b) return bulk(b, digits, most);
  if (Array.isArray(v)) return enclosed("[", v, "]", most, (x, room) => format(x, digits, room));
  return enclosed("{", Object.entries(v), "}", most, ([k, x], room) => `${k}: ${format(x, digits, room - k.length - 2)}`);
}

function bulk(b: Bulk, digits: number, most: number): string {
  const total = `${count(b.elements)} × ${/^\S*?([^/\s]+)\[<=/.exec(b.schema)?.[1] ?? b.type}`;
  const first = firstElements(b, most);
  return first?.length ? `${total} ${enclosed("[", first, "]", most - total.length - 1, (x, room) => format(x, digits, room))}` : total;
}

/** Joins elements between brackets while they fit into `most` characters; "…" stands for the others. */
function enclosed<T>(open: string, items: readonly T[], close: string, most: number, text: (item: T, room: number) => string): string {
  let joined = open;
  for (const [i, item] of items.entries()) {
    const next = (i === 0 ? "" : ", ") + text(item, most - joined.length - 1);
    const last = i === items.length - 1;
    if (joined.length + next.length + (last ? 1 : 4) > most) return joined + (i === 0 ? "…" : ", …") + close;
    joined += next;
  }
  return joined + close;
}

/** Sets a number as all pages do: with a minus sign in place of the hyphen, and without a plus sign in the exponent. */
export function typeset(text: string): string {
  return text.replaceAll("-", "−").replace("e+", "e");
}

/**
 * Formats a number with the given significant digits; an exponent only from 1e7 and, with at least five digits, below 1e-4. With fewer digits,
 * as in labels, a small number is rounded to zero. That has no sign.
 */
export function number(v: number, digits = 5): string {
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return typeset(String(v));
  const a = Math.abs(v);
  if (a >= 1e7 || (a !== 0 && a < 1e-4 && digits >= 5)) return typeset(v.toExponential(Math.max(0, digits - 2)));
  const decimals = Math.max(0, digits - 1 - Math.max(0, Math.floor(Math.log10(a || 1))));
  const text = v.toFixed(Math.min(decimals, 9));
  return Number(text) === 0 ? text.replace("-", "") : typeset(text);
}

/** Returns the exact text of a value, for editing. */
export function exact(v: Value | undefined): string {
  if (v === undefined || v === null) return "";
  return typeof v === "string" ? v : JSON.stringify(v);
}

/** Returns the text of a value for a field of about 10 characters that is not being edited: exact if that fits, otherwise rounded. */
export function brief(v: Value | undefined): string {
  const text = exact(v);
  return typeof v === "number" && text.length > 10 ? number(v, 6).replaceAll("−", "-") : text;
}

/** Parses user input as a value of a type; throws an Error that describes the expected format. */
export function parse(text: string, type: string): Value {
  const t = text.trim();
  if (type === "string") return text;
  if (type === "bool") {
    if (/^(true|1|on|yes)$/i.test(t)) return true;
    if (/^(false|0|off|no)$/i.test(t)) return false;
    throw new Error(`“${t}” is not a bool: enter true or false`);
  }
  if (isNumeric(type)) {
    const plain = t.replaceAll("−", "-"); // copied from where number wrote it
    const special = /^([+-]?)(nan|inf)$/i.exec(plain);
    if (special && type.startsWith("float")) return special[2]?.toLowerCase() === "nan" ? "NaN" : special[1] === "-" ? "-Inf" : "+Inf";
    const v = Number(plain.replace(",", "."));
    if (t === "" || Number.isNaN(v)) throw new Error(`“${t}” is not a number`);
    if (!type.startsWith("float") && !Number.isInteger(v)) throw new Error(`“${t}” is not a whole number, as ${type} requires`);
    return v;
  }
  try {
    return JSON.parse(t) as Value;
  } catch {
    throw new Error(`enter ${type} as JSON, for example [1, 2, 3] or {"n": 1}`);
  }
}

/** Reports whether values of a type are single numbers. */
export function isNumeric(type: string): boolean {
  return /^(u?int|float)\d*$/.test(type);
}

/** Reports whether a value is, or holds, NaN or infinity. */
export function isNonFinite(v: Value | undefined): boolean {
  return v === "NaN" || v === "+Inf" || v === "-Inf" || (Array.isArray(v) && v.some(isNonFinite));
}

/** Formats a duration in ns with a suitable unit. */
export function duration(ns: number): string {
  if (ns === 0) return "0";
  const a = Math.abs(ns);
  if (a < 1e3) return `${Math.round(ns)} ns`;
  if (a < 1e6) return `${number(ns / 1e3, 3)} µs`;
  if (a < 1e9) return `${number(ns / 1e6, 3)} ms`;
  return `${number(ns / 1e9, 3)} s`;
}

/** Formats how long something has lasted, in s: 0.4 s, 12.3 s, 2:05 min, 1:02:05 h. */
export function elapsed(s: number): string {
  if (s < 60) return `${(Math.floor(10 * s) / 10).toFixed(1)} s`;
  const two = (n: number): string => String(Math.floor(n) % 60).padStart(2, "0");
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s)} min` : `${Math.floor(s / 3600)}:${two(s / 60)}:${two(s)} h`;
}

/** Formats a distance in m: 3.2 mm, 12 mm, 1500 mm. */
export function millimetres(m: number): string {
  return typeset(`${(1000 * m).toFixed(Math.abs(m) < 0.01 ? 1 : 0)} mm`);
}

/** Formats a count with thin spaces between thousands. */
export function count(n: number): string {
  return n.toString().replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/** Formats a time of day, as 09:26:53. */
export function clock(time: string | number): string {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** Formats a day and the time of day, as 2026-03-14 09:26:53. */
export function dateAndClock(time: string | number): string {
  return new Date(time).toLocaleString("sv-SE");
}
