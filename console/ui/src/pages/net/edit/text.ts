// Text operations on a system file: extent of entries, their comments, and changes that keep the remaining text.
import { isMap, isSeq, stringify, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Value } from "../../../lib/wire";
import { spanOf, type Span } from "./netfile";

export interface Change extends Span {
  with: string;
}

/** Applies changes that do not overlap. */
export function replace(text: string, changes: Change[]): string {
  let result = text;
  for (const c of [...changes].sort((a, b) => b.from - a.from)) result = result.slice(0, c.from) + c.with + result.slice(c.to);
  return result;
}

/** Formats a value as YAML in one line. */
export function toYAML(v: Value): string {
  if (v === "NaN") return ".nan";
  if (v === "+Inf") return ".inf";
  if (v === "-Inf") return "-.inf";
  if (Array.isArray(v)) return `[${v.map(toYAML).join(", ")}]`;
  if (v !== null && typeof v === "object") return `{${Object.entries(v).map(([k, x]) => `${k}: ${toYAML(x)}`).join(", ")}}`;
  return stringify(v, { lineWidth: 0 }).trim();
}

export function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns the end of a line, before its line feed. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Returns the start of the next line. */
export function nextLine(text: string, at: number): number {
  return Math.min(text.length, lineEnd(text, at) + 1);
}

/** Returns the column of an offset, counted from 0. */
export function column(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Appends a line feed to a non-empty text that lacks one. */
export function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : text + "\n";
}

function isPair(item: unknown): item is Pair {
  return typeof item === "object" && item !== null && "key" in item;
}

/** Returns the end of an entry, without the comments and empty lines after it. */
export function endOf(text: string, item: unknown): number {
  if (isPair(item)) return (item.value === null ? 0 : endOf(text, item.value)) || spanOf(item.key).to;
  const last = (isMap(item) || isSeq(item)) && !item.flow ? item.items.at(-1) : undefined;
  if (last) return endOf(text, last);
  const { from, to } = spanOf(item);
  return from + text.slice(from, to).trimEnd().length;
}

/** Returns the span of an entry, without comments. */
export function standsAt(text: string, item: unknown): Span {
  return { from: spanOf(isPair(item) ? item.key : item).from, to: endOf(text, item) };
}

/**
 * Returns the lines to remove with some entries of a list or mapping: their own and their comments. A comment belongs to the entries
 * after it, up to the next comment or empty line; it is removed with the first of them if at least half of them are removed.
 */
export function chunks(text: string, list: YAMLMap | YAMLSeq, goes: (item: unknown) => boolean): Span[] {
  const all = list.items.map((item) => {
    const { from, to } = standsAt(text, item);
    return { item, from: lineStart(text, from), to: nextLine(text, to), head: 0 };
  });
  all.forEach((s, i) => (s.head = headOf(text, s.from, all[i - 1]?.to ?? 0)));
  return all.flatMap((s, i): Span[] => {
    if (!goes(s.item)) return [];
    let end = i + 1;
    while (all[end]?.head === all[end - 1]?.to && all[end]?.head === all[end]?.from && end < all.length) end++;
    const run = all.slice(i, end);
    const along = 2 * run.filter((x) => goes(x.item)).length >= run.length;
    return [{ from: along ? s.head : s.from, to: s.to }];
  });
}

/** Returns the start of the comment lines directly above a line. */
function headOf(text: string, line: number, least: number): number {
  let at = line;
  while (at > least) {
    const above = lineStart(text, at - 1);
    if (above < least || !/^\s*#/.test(text.slice(above, at))) break;
    at = above;
  }
  return at;
}

/** Removes whole lines, and an empty line where two would meet or one would remain at an end. */
export function cut(text: string, spans: Span[]): Change[] {
  const merged: Span[] = [];
  for (const s of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && /^\s*$/.test(text.slice(last.to, s.from))) last.to = s.to;
    else merged.push({ ...s });
  }
  return merged.map(({ from, to }) => {
    const aboveFrom = lineStart(text, from - 1);
    const above = text.slice(aboveFrom, from);
    const emptyAbove = from > 0 && above.trim() === "";
    const emptyBelow = /^[ \t]*\n/.exec(text.slice(to))?.[0].length ?? 0;
    if (emptyAbove && to === text.length) return { from: aboveFrom, to, with: "" };
    return { from, to: emptyAbove || /:[ \t]*(#.*)?\n$/.test(above) || from === 0 ? to + emptyBelow : to, with: "" };
  });
}

/** Moves lines to another column. */
export function indented(lines: string, from: number, to: number): string {
  return lines.replace(/^[ \t]*(?=\S)/gm, (space) => " ".repeat(Math.max(to, space.length + to - from)));
}

/** Removes an entry of a flow-style list or mapping, with its comma. */
export function withoutItem(text: string, span: Span): Change {
  const after = /^\s*,\s*/.exec(text.slice(span.to));
  if (after) return { from: span.from, to: span.to + after[0].length, with: "" };
  const before = /,\s*$/.exec(text.slice(0, span.from));
  return { from: span.from - (before?.[0].length ?? 0), to: span.to, with: "" };
}
