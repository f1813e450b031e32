// Adds and removes entries of a system file's sections, in the YAML style of each section.
import { isMap, isSeq, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { reparse, mapIn, pairOf, scopeAt, spanOf, type NetFile, type Scope } from "./netfile";
import { chunks, column, cut, ended, endOf, indented, lineEnd, lineStart, nextLine, replace, standsAt, withoutItem, type Change } from "./text";

export type Section = "blocks" | "groups" | "links" | "ports";

/** The usual order of the keys of a system file and a group. */
const usualOrder = ["system", "base", "include", "description", "params", "script", "threads", "levels", "blocks", "groups", "links", "ports"];

/** Adds an entry to a section of a scope, creating the section if needed: key and value, or only a value for links. */
export function addEntry(f: NetFile, scope: string, section: Section, key: string, value: string): string {
  const s = scopeAt(f, scope) ?? f;
  const list = pairOf(s.map, section)?.value;
  if (isMap(list) && list.items.length > 0) return setIn(f.text, list, key, value);
  if (isSeq(list) && list.items.length > 0) return append(f.text, list, value);
  const entry = section === "links" ? `- ${value}` : `${key}: ${value}`;
  if (s.map?.flow) return setIn(f.text, s.map, section, section === "links" ? `[${value}]` : `{${entry}}`);
  return writeSection(f, s, section, entry + "\n");
}

/** Writes a missing or empty section. Its lines start at column 0. */
export function writeSection(f: NetFile, s: Scope, section: Section, lines: string): string {
  const at = columnOf(f.text, s);
  const body = lines.replace(/^(?=.)/gm, " ".repeat(at + 2));
  const pair = pairOf(s.map, section);
  if (pair) {
    const from = spanOf(pair.key).to + 1;
    const to = Math.max(from, isMap(pair.value) || isSeq(pair.value) ? spanOf(pair.value).to : from);
    const rest = /^[^\n]*/.exec(f.text.slice(to))?.[0] ?? "";
    return replace(f.text, [{ from, to: Math.min(f.text.length, to + rest.length + 1), with: `${rest}\n${body}` }]);
  }
  const text = ended(f.text);
  const place = placeFor(text, s, section);
  return replace(text, [{ from: place.at, to: place.at, with: `${place.spaced ? "\n" : ""}${" ".repeat(at)}${section}:\n${body}` }]);
}

/** Sets a key of a mapping. */
export function setIn(text: string, map: YAMLMap | undefined, key: string, value: string): string {
  if (!map) return text;
  const old = pairOf(map, key);
  if (old?.value) return replace(text, [{ ...spanOf(old.value), with: value }]);
  if (map.flow) {
    const close = spanOf(map).to - 1;
    const before = text.slice(0, close).trimEnd().length;
    return replace(text, [{ from: before, to: close, with: `${map.items.length > 0 ? ", " : ""}${key}: ${value}` }]);
  }
  const at = lineEnd(text, endOf(text, map.items.at(-1)));
  const indent = " ".repeat(column(text, spanOf(map.items[0]?.key).from));
  return replace(text, [{ from: at, to: at, with: `\n${indent}${key}: ${value}` }]);
}

/** Adds a value to a non-empty list. */
function append(text: string, list: YAMLSeq, value: string): string {
  const last = standsAt(text, list.items.at(-1));
  if (list.flow) return replace(text, [{ from: last.to, to: last.to, with: `, ${value}` }]);
  const indent = " ".repeat(dashOf(text, list));
  const at = lineEnd(text, last.to);
  return replace(text, [{ from: at, to: at, with: `\n${indent}- ${value}` }]);
}

/** Removes entries from a section. An emptied section is removed with its key, unless stays is set. */
export function withoutEntries(text: string, s: Scope, section: Section, goes: (item: unknown) => boolean, stays = false): Change[] {
  const pair = pairOf(s.map, section);
  const list = pair?.value;
  if (!pair || !(isMap(list) || isSeq(list)) || !list.items.some(goes)) return [];
  if (!list.items.every(goes)) return without(text, list, goes);
  if (stays || s.map?.items.length === 1) return [{ from: spanOf(pair.key).to + 1, to: endOf(text, pair), with: section === "links" ? " []" : " {}" }];
  if (s.map?.flow) return [withoutItem(text, standsAt(text, pair))];
  return cut(text, chunks(text, s.map as YAMLMap, (p) => p === pair));
}

/** Removes entries from a list or mapping. */
export function without(text: string, list: YAMLMap | YAMLSeq | undefined, goes: (item: unknown) => boolean): Change[] {
  if (!list) return [];
  if (!list.flow) return cut(text, chunks(text, list, goes));
  return runs(list.items as unknown[], goes).map(([first, last]) => withoutItem(text, { from: standsAt(text, first).from, to: standsAt(text, last).to }));
}

/** Returns runs of neighbouring items to remove, as first and last item. */
function runs(items: unknown[], goes: (item: unknown) => boolean): [unknown, unknown][] {
  const all: [unknown, unknown][] = [];
  items.forEach((item, i) => {
    const last = all.at(-1);
    if (!goes(item)) return;
    if (last && last[1] === items[i - 1]) last[1] = item;
    else all.push([item, item]);
  });
  return all;
}

/** Returns the lines of some entries of a section with their comments, at column 0. */
export function linesOf(f: NetFile, s: Scope, section: Section, goes: (item: unknown) => boolean): string {
  const list = pairOf(s.map, section)?.value;
  if (!(isMap(list) || isSeq(list)) || list.items.length === 0 || list.flow) return "";
  const at = isSeq(list) ? dashOf(f.text, list) : column(f.text, spanOf(list.items[0]?.key).from);
  const spans = chunks(f.text, list, goes);
  return spans.map((span, i) => {
    const gap = i > 0 && /\n[ \t]*\n/.test(f.text.slice((spans[i - 1]?.to ?? 1) - 1, span.from + 1)) && /^\s*#/.test(f.text.slice(span.from, span.to)) ? "\n" : "";
    return gap + indented(ended(f.text.slice(span.from, span.to)), at, 0);
  }).join("");
}

/** Adds lines, given at column 0, to a section of a scope, creating the section if needed. */
export function addLines(f: NetFile, scope: string, section: Section, text: string): string {
  const s = scopeAt(f, scope) ?? f;
  const list = pairOf(s.map, section)?.value;
  if (!(isMap(list) || isSeq(list)) || list.items.length === 0) return writeSection(f, s, section, text);
  const last = chunks(f.text, list, (x) => x === list.items.at(-1)).at(-1)?.to ?? f.text.length;
  const at = isSeq(list) ? dashOf(f.text, list) : column(f.text, spanOf(list.items[0]?.key).from);
  const spaced = (text.match(/^\S/gm)?.length ?? 0) > 1 && /\n[ \t]*\n/.test(f.text.slice(spanOf(list).from, last));
  const whole = f.text.slice(0, last).endsWith("\n") ? "" : "\n";
  return replace(f.text, [{ from: last, to: last, with: `${whole}${spaced ? "\n" : ""}${indented(text, 0, at)}` }]);
}

/** Returns the column of the dashes of a block-style list. */
export function dashOf(text: string, list: YAMLSeq): number {
  return column(text, text.lastIndexOf("-", spanOf(list.items[0]).from - 1));
}

/** Returns the column of the keys of a scope. */
export function columnOf(text: string, s: Scope): number {
  const first = s.map?.items[0];
  return first ? column(text, spanOf(first.key).from) : 0;
}

/** Returns the offset for a new section, and whether an empty line separates it from the previous one. */
function placeFor(text: string, s: Scope, section: Section): { at: number; spaced: boolean } {
  const pairs = s.map?.items ?? [];
  const before = usualOrder.slice(0, usualOrder.indexOf(section)).reverse().map((k) => pairOf(s.map, k)).find((p) => p !== undefined);
  if (!before) return { at: pairs[0] ? lineStart(text, standsAt(text, pairs[0]).from) : text.length, spaced: false };
  const at = sectionEnd(text, before, columnOf(text, s));
  const divided = pairs.length < 3 || pairs.slice(1).some((p) => /\n[ \t]*\n(\s*#.*\n)*\s*$/.test(text.slice(0, standsAt(text, p).from)));
  return { at, spaced: s.path === "" && divided };
}

/** Returns the end of a section's lines, including comments after its last entry. */
function sectionEnd(text: string, section: Pair, keys: number): number {
  let at = nextLine(text, endOf(text, section));
  for (;;) {
    const comment = /^( *)#.*(\n|$)/.exec(text.slice(at));
    if (!comment || (comment[1]?.length ?? 0) <= keys) return at;
    at += comment[0].length;
  }
}

/** Converts flow-style sections and scopes to block style, so that lines can be added and removed. */
export function toBlockStyle(file: NetFile, scope: string, sections: Section[]): NetFile {
  let f = file;
  const parts = scope === "" ? [] : scope.split(".");
  for (let i = 0; i <= parts.length; i++) {
    const path = parts.slice(0, i).join(".");
    f = blockStyled(f, scopeAt(f, path)?.map);
    if (i < parts.length) f = blockStyled(f, mapIn(scopeAt(f, path)?.map, "groups"));
  }
  for (const section of sections) f = blockStyled(f, pairOf(scopeAt(f, scope)?.map, section)?.value);
  return f;
}

/** Converts one list or mapping to block style. */
function blockStyled(f: NetFile, list: unknown): NetFile {
  if (!(isMap(list) || isSeq(list)) || !list.flow || list.items.length === 0) return f;
  const { text } = f;
  const { from, to } = spanOf(list);
  const root = list === f.map;
  const at = root ? 0 : column(text, from - (/[^\n]*$/.exec(text.slice(0, from))?.[0].trimStart().length ?? 0)) + 2;
  const slice = (n: unknown): string => text.slice(spanOf(n).from, spanOf(n).to).trim();
  const lines = (list.items as unknown[]).map((item) => {
    if (!isMap(list)) return `${" ".repeat(at)}- ${slice(item)}`;
    const p = item as Pair;
    return `${" ".repeat(at)}${slice(p.key)}: ${slice(p.value)}`;
  });
  const before = root ? from : from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0);
  return reparse(f, replace(text, [{ from: before, to, with: `${root ? "" : "\n"}${lines.join("\n")}` }]));
}
