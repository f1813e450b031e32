// Values of ports and parameters as text, and back.
import type { Value } from "./wire";

/** Text of a value for a label: numbers with so many significant digits, arrays and structs shortened to most characters. */
export function show(v: Value | undefined, digits = 5, most = 60): string {
  const text = full(v, digits);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

function full(v: Value | undefined, digits: number): string {
  if (v === undefined || v === null) return "–";
  if (typeof v === "number") return number(v, digits);
  if (typeof v === "string" || typeof v === "boolean") return String(v);
  if (Array.isArray(v)) return "[" + v.map((x) => full(x, digits)).join(", ") + "]";
  return "{" + Object.entries(v).map(([k, x]) => `${k}: ${full(x, digits)}`).join(", ") + "}";
}

/** A number with so many significant digits, without a useless exponent. */
export function number(v: number, digits = 5): string {
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return String(v);
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-4 || a >= 1e7)) return v.toExponential(Math.max(0, digits - 2));
  const decimals = Math.max(0, digits - 1 - Math.max(0, Math.floor(Math.log10(a || 1))));
  return v.toFixed(Math.min(decimals, 9));
}

/** The exact text of a value, as a user may edit it. */
export function exact(v: Value | undefined): string {
  if (v === undefined || v === null) return "";
  return typeof v === "string" ? v : JSON.stringify(v);
}

/** What a user has written, as a value of a type; throws an Error that says what was expected. */
export function parse(text: string, type: string): Value {
  const t = text.trim();
  if (type === "string") return text;
  if (type === "bool") {
    if (/^(true|1|on|yes)$/i.test(t)) return true;
    if (/^(false|0|off|no)$/i.test(t)) return false;
    throw new Error(`“${t}” is neither true nor false`);
  }
  if (isNumeric(type)) {
    const special = /^([+-]?)(nan|inf)$/i.exec(t);
    if (special && type.startsWith("float")) return special[2]?.toLowerCase() === "nan" ? "NaN" : special[1] === "-" ? "-Inf" : "+Inf";
    const v = Number(t.replace(",", "."));
    if (t === "" || Number.isNaN(v)) throw new Error(`“${t}” is no number`);
    if (!type.startsWith("float") && !Number.isInteger(v)) throw new Error(`${type} takes whole numbers only`);
    return v;
  }
  try {
    return JSON.parse(t) as Value;
  } catch {
    throw new Error(`${type} is written as JSON, as [1, 2, 3] or {"n": 1}`);
  }
}

/** Whether values of a type are single numbers. */
export function isNumeric(type: string): boolean {
  return /^(u?int|float)\d*$/.test(type);
}

/** Whether a value is a number that is none or has no bound. */
export function isOdd(v: Value | undefined): boolean {
  return v === "NaN" || v === "+Inf" || v === "-Inf" || (Array.isArray(v) && v.some(isOdd));
}

/** A duration in ns with a unit that suits it. */
export function duration(ns: number): string {
  if (ns === 0) return "0";
  const a = Math.abs(ns);
  if (a < 1e3) return `${Math.round(ns)} ns`;
  if (a < 1e6) return `${number(ns / 1e3, 3)} µs`;
  if (a < 1e9) return `${number(ns / 1e6, 3)} ms`;
  return `${number(ns / 1e9, 3)} s`;
}

/** A count with thin spaces between thousands. */
export function count(n: number): string {
  return n.toString().replace(/\B(?=(\d{3})+$)/g, "\u2009");
}
