// Changes of a system file: each replaces as little of the text as possible, so that comments, order and layout stay as their author made them.
import { isMap, stringify, type YAMLMap } from "yaml";
import type { Value } from "../../../lib/wire";
import { mapIn, pairOf, read, spanOf, type FileLink, type NetFile, type Span } from "./netfile";

export function addBlock(f: NetFile, name: string, type: string, thread: string): string {
  const value = `{type: ${type}${thread === "" ? "" : `, thread: ${thread}`}}`;
  return addEntry(f, "blocks", name, value);
}

/** Removes a block and the links to and from it. */
export function removeBlock(f: NetFile, name: string): string {
  let text = f.text;
  for (;;) {
    const now = read(text);
    const link = now.links.find((l) => l.from.startsWith(name + ".") || l.to.startsWith(name + "."));
    if (!link) return removeKey(now, mapIn(now.root, "blocks"), name);
    text = removeLink(now, link);
  }
}

/** Gives a block another name, in its links, too. */
export function renameBlock(f: NetFile, name: string, to: string): string {
  const key = pairOf(mapIn(f.root, "blocks"), name)?.key;
  const renamed = (ref: string): string => (ref.startsWith(name + ".") ? to + ref.slice(name.length) : ref);
  return replace(f.text, [
    { ...spanOf(key), with: inYAML(to) },
    ...f.links.filter((l) => renamed(l.from) !== l.from || renamed(l.to) !== l.to).map((l) => ({ ...l.span, with: `${renamed(l.from)} -> ${renamed(l.to)}` })),
  ]);
}

/** Gives a block another type, thread or the like. */
export function setKey(f: NetFile, block: string, key: string, value: Value): string {
  return setIn(f.text, mapIn(mapIn(f.root, "blocks"), block), key, inYAML(value));
}

/** Sets a parameter; undefined leaves it to its type again. */
export function setParam(f: NetFile, block: string, param: string, value: Value | undefined): string {
  const map = mapIn(mapIn(f.root, "blocks"), block);
  const params = mapIn(map, "params");
  if (value === undefined) return removeKey(f, params, param);
  if (!params) return setIn(f.text, map, "params", `{${param}: ${inYAML(value)}}`);
  return setIn(f.text, params, param, inYAML(value));
}

export function addLink(f: NetFile, from: string, to: string): string {
  const line = `${from} -> ${to}`;
  const pair = pairOf(f.root, "links");
  const last = f.links.at(-1);
  if (!pair) return ended(f.text) + `\nlinks:\n  - ${line}\n`;
  if (!last) return replace(f.text, [{ ...spanOf(pair.value), with: `\n  - ${line}` }]);
  const dash = f.text.lastIndexOf("-", last.entry.from);
  const flow = f.text.slice(0, last.entry.from).trimEnd().endsWith("[") || /[,[]\s*$/.test(f.text.slice(0, last.entry.from));
  if (flow) return replace(f.text, [{ from: last.entry.to, to: last.entry.to, with: `, ${line}` }]);
  const indent = f.text.slice(f.text.lastIndexOf("\n", dash) + 1, dash);
  const at = lineEnd(f.text, last.entry.to);
  return replace(f.text, [{ from: at, to: at, with: `\n${indent}- ${line}` }]);
}

export function removeLink(f: NetFile, link: Pick<FileLink, "from" | "to">): string {
  const l = f.links.find((x) => x.from === link.from && x.to === link.to);
  if (!l) return f.text;
  const start = f.text.lastIndexOf("\n", l.entry.from) + 1;
  if (!/^\s*-\s*$/.test(f.text.slice(start, l.entry.from))) return withoutItem(f.text, l.entry);
  return lastOfItsKind(f, "links", f.links.length) ?? replace(f.text, [{ from: start, to: Math.min(f.text.length, lineEnd(f.text, l.entry.to) + 1), with: "" }]);
}

interface Change extends Span {
  with: string;
}

/** Does changes that do not overlap. */
function replace(text: string, changes: Change[]): string {
  let result = text;
  for (const c of [...changes].sort((a, b) => b.from - a.from)) result = result.slice(0, c.from) + c.with + result.slice(c.to);
  return result;
}

/** Adds key and value to a section of the file, which is made where it lacks. */
function addEntry(f: NetFile, section: string, key: string, value: string): string {
  const map = mapIn(f.root, section);
  if (!map || map.items.length === 0) {
    const pair = pairOf(f.root, section);
    if (!pair) return ended(f.text) + `\n${section}:\n  ${key}: ${value}\n`;
    const at = spanOf(pair.key).to + 1;
    return replace(f.text, [{ from: at, to: Math.max(at, spanOf(pair.value).to), with: `\n  ${key}: ${value}` }]);
  }
  return setIn(f.text, map, key, value);
}

/** Sets a key of a mapping, in the style in which the mapping is written. */
function setIn(text: string, map: YAMLMap | undefined, key: string, value: string): string {
  if (!map) return text;
  const old = pairOf(map, key);
  if (old?.value) return replace(text, [{ ...spanOf(old.value), with: value }]);
  const end = spanOf(map).to;
  if (map.flow) {
    const close = text.lastIndexOf("}", end);
    const before = text.slice(0, close).trimEnd().length;
    return replace(text, [{ from: before, to: close, with: `${map.items.length > 0 ? ", " : ""}${key}: ${value}` }]);
  }
  const last = map.items.at(-1);
  const first = spanOf(map.items[0]?.key).from;
  const indent = text.slice(text.lastIndexOf("\n", first - 1) + 1, first);
  const at = lineEnd(text, deepEnd(last?.value) || spanOf(last?.key).to);
  return replace(text, [{ from: at, to: at, with: `\n${indent}${key}: ${value}` }]);
}

/** Removes a key of a mapping with its value. */
function removeKey(f: NetFile, map: YAMLMap | undefined, key: string): string {
  const pair = pairOf(map, key);
  if (!map || !pair) return f.text;
  const span = { from: spanOf(pair.key).from, to: deepEnd(pair.value) || spanOf(pair.key).to };
  if (map.flow) return withoutItem(f.text, span);
  const start = f.text.lastIndexOf("\n", span.from) + 1;
  return replace(f.text, [{ from: start, to: Math.min(f.text.length, lineEnd(f.text, span.to) + 1), with: "" }]);
}

/** Removes an entry of a list or mapping in brackets, with its comma. */
function withoutItem(text: string, span: Span): string {
  const after = /^\s*,\s*/.exec(text.slice(span.to));
  if (after) return replace(text, [{ from: span.from, to: span.to + after[0].length, with: "" }]);
  const before = /,\s*$/.exec(text.slice(0, span.from));
  return replace(text, [{ from: span.from - (before?.[0].length ?? 0), to: span.to, with: "" }]);
}

/** A list that would become empty goes with its key. */
function lastOfItsKind(f: NetFile, section: string, count: number): string | undefined {
  const pair = pairOf(f.root, section);
  if (count > 1 || !pair) return undefined;
  const from = f.text.lastIndexOf("\n", spanOf(pair.key).from) + 1;
  return replace(f.text, [{ from, to: Math.min(f.text.length, lineEnd(f.text, spanOf(pair.value).to) + 1), with: "" }]);
}

/** Where a value ends, without the comments after it. */
function deepEnd(v: unknown): number {
  if (isMap(v) && !v.flow) {
    const last = v.items.at(-1);
    return last ? deepEnd(last.value) || spanOf(last.key).to : spanOf(v).to;
  }
  return spanOf(v).to;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : text + "\n";
}

/** A value as YAML in one line. */
function inYAML(v: Value): string {
  if (v === "NaN") return ".nan";
  if (v === "+Inf") return ".inf";
  if (v === "-Inf") return "-.inf";
  if (Array.isArray(v)) return `[${v.map(inYAML).join(", ")}]`;
  if (v !== null && typeof v === "object") return `{${Object.entries(v).map(([k, x]) => `${k}: ${inYAML(x)}`).join(", ")}}`;
  return stringify(v, { lineWidth: 0 }).trim();
}
