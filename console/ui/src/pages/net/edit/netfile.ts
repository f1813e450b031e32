// A system file as the editor sees it: what is in it, and where in the text. Changes are made in patch.ts and group.ts.
import { isMap, isScalar, isSeq, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";
import type { Value } from "../../../lib/wire";
import { splitRef } from "../graph";

/** A part of the text, from one offset to another. */
export interface Span {
  from: number;
  to: number;
}

/** Where names belong: the file itself, or a group that is written in it. Its blocks, groups, links and ports are those right there. */
export interface Scope {
  /** names of the groups around, as "arm.wrist"; "" for the file itself */
  path: string;
  map: YAMLMap | undefined;
  parent: Scope | undefined;
  blocks: FileBlock[];
  groups: FileGroup[];
  links: FileLink[];
  ports: FilePort[];
  /** values of its parameters, as in "${side}" */
  params: Record<string, Value>;
}

export interface FileBlock {
  /** with those of the groups around it, as "arm.pid1" */
  name: string;
  scope: Scope;
  type: string;
  thread: string;
  params: Record<string, Value>;
  /** names of the ports of a foreign program; undefined for a block with a type */
  program: { in: string[]; out: string[] } | undefined;
  pair: Pair;
}

export interface FileGroup {
  name: string;
  /** that it lies in */
  scope: Scope;
  /** the file that it is; "" where it is written in this file */
  include: string;
  /** what is written in this file */
  inner: Scope | undefined;
  pair: Pair;
}

export interface FileLink {
  /** as they are written: relative to the scope */
  from: string;
  to: string;
  scope: Scope;
  delay: boolean;
  every: number;
  /** in which the text must be put, as it is or because of where it stands */
  quote: string;
  /** of the text "a -> b" itself */
  span: Span;
  /** of the whole entry */
  entry: Span;
}

/** A port of a group, and the port behind it. */
export interface FilePort {
  name: string;
  ref: string;
  pair: Pair;
}

export interface NetFile extends Scope {
  text: string;
  /** what stands before the names of its blocks in the whole system: "arm." for the file of a group; undefined where it is that of several groups */
  prefix: string | undefined;
  threads: { name: string; period: string }[];
  /** the file itself and all groups in it, each after the one around it */
  scopes: Scope[];
  /** why the text is no YAML; then nothing else is known */
  problem: { text: string; line: number; column: number } | undefined;
}

/** Reads a file. Text that is no YAML gives a problem, never an exception; what is no net is left out. */
export function read(text: string, prefix: string | undefined = ""): NetFile {
  const doc = parseDocument(text, { prettyErrors: true });
  const e = doc.errors[0];
  const root = isMap(doc.contents) ? doc.contents : undefined;
  const scopes: Scope[] = [];
  const file: NetFile = {
    ...empty("", root, undefined),
    text,
    prefix,
    threads: entries(root, "threads").map(([name, p]) => ({ name, period: isMap(p.value) ? plain(p.value.get("period")) : "" })),
    scopes,
    problem: e ? { text: e.message.split("\n")[0] ?? e.message, line: e.linePos?.[0].line ?? 1, column: e.linePos?.[0].col ?? 1 } : undefined,
  };
  fill(file, scopes);
  return file;
}

/** A file as it is with another text. */
export function again(f: NetFile, text: string): NetFile {
  return text === f.text ? f : read(text, f.prefix);
}

function empty(path: string, map: YAMLMap | undefined, parent: Scope | undefined): Scope {
  return { path, map, parent, blocks: [], groups: [], links: [], ports: [], params: {} };
}

function fill(s: Scope, all: Scope[]): void {
  all.push(s);
  s.blocks = entries(s.map, "blocks").map(([name, pair]) => block(s, name, pair));
  s.links = links(s);
  s.params = values(s.map?.get("params"));
  s.ports = entries(s.map, "ports").flatMap(([name, pair]) => (isScalar(pair.value) ? [{ name, ref: String(pair.value.value), pair }] : []));
  for (const [name, pair] of entries(s.map, "groups")) {
    const map = isMap(pair.value) ? pair.value : undefined;
    const path = within(s, name);
    const inner = map && !map.has("include") ? empty(path, map, s) : undefined;
    s.groups.push({ name: path, scope: s, include: plain(map?.get("include")), inner, pair });
    if (inner) fill(inner, all);
  }
}

/** The full name of what is called so in a scope. */
export function within(s: Scope, name: string): string {
  return s.path === "" ? name : `${s.path}.${name}`;
}

/** The last part of a full name. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The group around a full name; "" where there is none. */
export function around(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** All blocks of a file. */
export function blocksOf(f: NetFile): FileBlock[] {
  return f.scopes.flatMap((s) => s.blocks);
}

/** All groups of a file. */
export function groupsOf(f: NetFile): FileGroup[] {
  return f.scopes.flatMap((s) => s.groups);
}

/** All links of a file. */
export function linksOf(f: NetFile): FileLink[] {
  return f.scopes.flatMap((s) => s.links);
}

/** A block or a group by its full name. */
export function find(f: NetFile, name: string): FileBlock | FileGroup | undefined {
  for (const s of f.scopes) {
    const found = s.blocks.find((b) => b.name === name) ?? s.groups.find((g) => g.name === name);
    if (found) return found;
  }
  return undefined;
}

/** The scope of a path. */
export function scopeAt(f: NetFile, path: string): Scope | undefined {
  return f.scopes.find((s) => s.path === path);
}

/** The group of a scope that a reference names: "arm.in" names arm. */
export function groupNamed(s: Scope, ref: string): FileGroup | undefined {
  const { block } = splitRef(ref);
  return s.groups.find((g) => g.name === within(s, block));
}

/** The port of a block that a reference of a scope means in the end, by its full name; a port of a group stands for the one behind it. */
export function resolve(s: Scope, ref: string): string {
  const { port, elements } = splitRef(ref);
  const behind = groupNamed(s, ref)?.inner;
  const p = behind?.ports.find((x) => x.name === port);
  if (!behind || !p) return within(s, ref);
  const inner = splitRef(p.ref);
  return resolve(behind, elements === "" ? p.ref : `${inner.block}.${inner.port}${elements}`);
}

/** The pair of a key in a mapping. */
export function pairOf(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((p) => isScalar(p.key) && String(p.key.value) === key);
}

/** The mapping under a key of a mapping. */
export function mapIn(map: YAMLMap | undefined, key: string): YAMLMap | undefined {
  const v = pairOf(map, key)?.value;
  return isMap(v) ? v : undefined;
}

export function spanOf(n: unknown): Span {
  const range = (n as Node | null | undefined)?.range;
  return { from: range?.[0] ?? 0, to: range?.[1] ?? 0 };
}

function entries(map: YAMLMap | undefined, key: string): [string, Pair][] {
  return (mapIn(map, key)?.items ?? []).flatMap((p): [string, Pair][] => (isScalar(p.key) ? [[String(p.key.value), p]] : []));
}

function block(scope: Scope, key: string, pair: Pair): FileBlock {
  const v = isMap(pair.value) ? pair.value : undefined;
  return {
    name: within(scope, key),
    scope,
    type: plain(v?.get("type")),
    thread: plain(v?.get("thread")),
    params: values(v?.get("params")),
    program: v?.has("run") ? { in: words(v.get("in")), out: words(v.get("out")) } : undefined,
    pair,
  };
}

/** The parameters of a block, with the values of the groups around it in their places. */
export function givenTo(b: FileBlock): Record<string, Value> {
  const filled = (v: Value): Value => {
    const name = typeof v === "string" ? /^\$\{([^}]*)\}$/.exec(v)?.[1] : undefined;
    if (name === undefined) return v;
    for (let s: Scope | undefined = b.scope; s; s = s.parent) if (name in s.params) return s.params[name] ?? v;
    return v;
  };
  return Object.fromEntries(Object.entries(b.params).map(([k, v]) => [k, filled(v)]));
}

function values(params: unknown): Record<string, Value> {
  return isMap(params) ? (params.toJSON() as Record<string, Value>) : {};
}

function words(list: unknown): string[] {
  return isSeq(list) ? list.items.flatMap((x) => (isScalar(x) ? [String(x.value)] : [])) : [];
}

function links(scope: Scope): FileLink[] {
  const list = pairOf(scope.map, "links")?.value;
  if (!isSeq(list)) return [];
  return list.items.flatMap((item): FileLink[] => {
    const scalar = isMap(item) ? pairOf(item, "link")?.value : item;
    if (!isScalar(scalar)) return [];
    const m = /^\s*(.+?)\s*->\s*(.+?)\s*$/s.exec(String(scalar.value));
    if (!m) return [];
    const every = Number(isMap(item) ? (item.get("every") ?? 1) : 1);
    const quote = scalar.type === "QUOTE_SINGLE" ? "'" : scalar.type === "QUOTE_DOUBLE" || scalar !== item || list.flow ? '"' : "";
    return [{ from: m[1] ?? "", to: m[2] ?? "", scope, quote, delay: isMap(item) && item.get("delay") === true, every, span: spanOf(scalar), entry: spanOf(item) }];
  });
}

function plain(v: unknown): string {
  return v === undefined || v === null ? "" : String(v);
}
