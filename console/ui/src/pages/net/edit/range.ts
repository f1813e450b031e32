// Ranges of a system file: "joint{1-40}" repeats a block, a group or a link, and "${i}" is the number. The editor shows a range as
// one block, and keeps it as it is written.
const range = /\{((?:\$\{[^}]*\}|[^{}-])*)-((?:\$\{[^}]*\}|[^{}-])*)\}/;
const index = "${i}";

/** Splits a text at its range; undefined if it has none. A bound that is no number is NaN. */
function parts(text: string): { before: string; whole: string; after: string; first: number; last: number } | undefined {
  const m = range.exec(text);
  if (!m) return undefined;
  return { before: text.slice(0, m.index), whole: m[0], after: text.slice(m.index + m[0].length), first: Number(m[1] || NaN), last: Number(m[2] || NaN) };
}

/** Reports whether a text has a range, or the number of one. */
export function repeats(text: string): boolean {
  return range.test(text) || text.includes(index);
}

/** Returns the ends of a link with the range of the one in the place of "${i}" in the other. */
export function spread(from: string, to: string): { from: string; to: string } {
  const whole = (parts(from) ?? parts(to))?.whole;
  return whole === undefined ? { from, to } : { from: from.replaceAll(index, whole), to: to.replaceAll(index, whole) };
}

/** Returns the ends of a link as a file has them: the second range is the number of the first. */
export function gathered(from: string, to: string): { from: string; to: string } {
  const [a, b] = [parts(from), parts(to)];
  return a && b ? { from, to: b.before + index + b.after } : { from, to };
}

/** Reports whether a name of a file, as "joint{1-40}", stands for another: "joint3", "joint${i}", or another range of it. */
export function covers(name: string, other: string): boolean {
  const n = parts(name);
  if (name === other || !n) return name === other;
  if (!other.startsWith(n.before) || !other.endsWith(n.after) || other.length <= n.before.length + n.after.length) return false;
  const middle = other.slice(n.before.length, other.length - n.after.length);
  const within = (k: number): boolean => !(k < n.first) && !(k > n.last); // a bound that is a parameter is no limit here
  const m = parts(middle);
  if (m?.before === "" && m.after === "") return !(m.first > n.last) && !(m.last < n.first);
  return middle === index || (/^\d+$/.test(middle) && within(Number(middle)));
}

/** Returns the names that a name with a range stands for, at most 1000; the name itself without one, or if a bound is a parameter. */
export function numbered(name: string): string[] {
  const n = parts(name);
  if (!n || Number.isNaN(n.first + n.last)) return [name];
  return Array.from({ length: Math.max(0, Math.min(1000, n.last - n.first + 1)) }, (_, k) => `${n.before}${n.first + k}${n.after}`);
}

/** Returns the number of the first repetition of a name with a range, as text; undefined if it has none. */
export function firstNumber(name: string): string | undefined {
  const n = parts(name);
  return n && String(Number.isNaN(n.first) ? 1 : n.first);
}
