// Parses a system file for the editor: its contents with their positions in the text. patch.ts and group.ts edit it.
import { isMap, isScalar, isSeq, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";
import type { NetFileInfo, Value } from "../../../lib/wire";
import { splitRef } from "../graph";
import { spelled } from "./list";
import { covers, firstNumber, spread } from "./range";

/** A range of the text, in offsets. */
export interface Span {
  from: number;
  to: number;
}

/** A scope of names: the file itself or an inline group, with its direct blocks, groups, links and ports. */
export interface Scope {
  /** full name of the group, for example "arm.wrist"; "" for the file itself */
  path: string;
  map: YAMLMap | undefined;
  parent: Scope | undefined;
  blocks: FileBlock[];
  groups: FileGroup[];
  links: FileLink[];
  ports: FilePort[];
  /** values of its parameters, referenced as "${side}" */
  params: Record<string, Value>;
  /** number of levels of its blocks and groups; 0 if they have none */
  levels: number;
}

export interface FileBlock {
  /** full name, for example "arm.pid1" */
  name: string;
  scope: Scope;
  type: string;
  thread: string;
  params: Record<string, Value>;
  /** level in its scope, as written; "" if it has none */
  level: string;
  /** port names of a foreign program; undefined for a block with a type */
  program: { in: string[]; out: string[] } | undefined;
  pair: Pair;
}

export interface FileGroup {
  name: string;
  /** enclosing scope */
  scope: Scope;
  /** included file; "" for an inline group */
  include: string;
  /** contents of an inline group */
  inner: Scope | undefined;
  /** level in its scope, as written; "" if it has none */
  level: string;
  pair: Pair;
}

export interface FileLink {
  /** as written: relative to the scope; of a whole block with the port "*" */
  from: string;
  to: string;
  /** text of the entry, which stands for several links if it has lists or is a chain */
  text: string;
  scope: Scope;
  delay: boolean;
  every: number;
  /** quote character that the text needs */
  quote: string;
  /** position of the text "a -> b" */
  span: Span;
  /** position of the whole entry */
  entry: Span;
}

/** A port of a group, and the inner port it exposes. */
export interface FilePort {
  name: string;
  ref: string;
  pair: Pair;
}

export interface NetFile extends Scope {
  text: string;
  /** prefix of its blocks' names in the system: "arm." for a group's file; undefined if several groups include the file */
  prefix: string | undefined;
  threads: { name: string; period: string }[];
  /** the file itself and all inline groups, each after its enclosing scope */
  scopes: Scope[];
  /** YAML syntax error; the other fields are then empty */
  problem: { text: string; line: number; column: number } | undefined;
}

/** Parses a file. Invalid YAML sets problem and throws nothing; unexpected values are ignored. */
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

/** Parses the file again with another text. */
export function reparse(f: NetFile, text: string): NetFile {
  return text === f.text ? f : read(text, f.prefix);
}

function empty(path: string, map: YAMLMap | undefined, parent: Scope | undefined): Scope {
  return { path, map, parent, blocks: [], groups: [], links: [], ports: [], params: {}, levels: Number(map?.get("levels") ?? 0) || 0 };
}

function fill(s: Scope, all: Scope[]): void {
  all.push(s);
  s.blocks = entries(s.map, "blocks").map(([name, pair]) => block(s, name, pair));
  s.links = links(s);
  s.params = values(s.map?.get("params"));
  s.ports = entries(s.map, "ports").flatMap(([name, pair]) => (isScalar(pair.value) ? [{ name, ref: String(pair.value.value), pair }] : []));
  for (const [name, pair] of entries(s.map, "groups")) {
    const map = isMap(pair.value) ? pair.value : undefined;
    const path = qualify(s, name);
    const inner = map && !map.has("include") ? empty(path, map, s) : undefined;
    s.groups.push({ name: path, scope: s, include: plain(map?.get("include")), inner, level: plain(map?.get("level")), pair });
    if (inner) fill(inner, all);
  }
}

/** Returns the full name of a name in a scope. */
export function qualify(s: Scope, name: string): string {
  return s.path === "" ? name : `${s.path}.${name}`;
}

/** Returns the last part of a full name. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Returns the enclosing group of a full name; "" if there is none. */
export function enclosingGroup(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** Returns all blocks of a file. */
export function blocksOf(f: NetFile): FileBlock[] {
  return f.scopes.flatMap((s) => s.blocks);
}

/** Returns all groups of a file. */
export function groupsOf(f: NetFile): FileGroup[] {
  return f.scopes.flatMap((s) => s.groups);
}

/** Returns all links of a file. */
export function linksOf(f: NetFile): FileLink[] {
  return f.scopes.flatMap((s) => s.links);
}

/** Finds a block or a group by its full name. */
export function find(f: NetFile, name: string): FileBlock | FileGroup | undefined {
  for (const s of f.scopes) {
    const found = s.blocks.find((b) => b.name === name) ?? s.groups.find((g) => g.name === name);
    if (found) return found;
  }
  return undefined;
}

/** Finds a scope by its path. */
export function scopeAt(f: NetFile, path: string): Scope | undefined {
  return f.scopes.find((s) => s.path === path);
}

/** Returns the group of a scope that a reference addresses: "arm.in" addresses arm. */
export function groupNamed(s: Scope, ref: string): FileGroup | undefined {
  const { block } = splitRef(ref);
  return s.groups.find((g) => g.name === qualify(s, block)) ?? s.groups.find((g) => covers(g.name, qualify(s, block)));
}

/** Resolves a reference of a scope to the full name of a block's port, following ports of groups. One of a range is the range. */
export function resolve(s: Scope, ref: string): string {
  const { block, port, elements } = splitRef(ref);
  const group = groupNamed(s, ref);
  const behind = group?.inner;
  const p = behind?.ports.find((x) => x.name === port) ?? behind?.ports.find((x) => covers(x.name, port));
  if (!behind || !p) {
    const name = qualify(s, block);
    const entry = group ?? s.blocks.find((b) => b.name === name) ?? s.blocks.find((b) => covers(b.name, name));
    return entry ? `${entry.name}.${port}${elements}` : qualify(s, ref);
  }
  const shown = spread(p.name, p.ref).to;
  const inner = splitRef(shown);
  return resolve(behind, elements === "" ? shown : `${inner.block}.${inner.port}${elements}`);
}

/** Returns the pair of a key in a mapping. */
export function pairOf(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((p) => isScalar(p.key) && String(p.key.value) === key);
}

/** Returns the mapping under a key of a mapping. */
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
    name: qualify(scope, key),
    scope,
    type: plain(v?.get("type")),
    thread: plain(v?.get("thread")),
    params: values(v?.get("params")),
    level: plain(v?.get("level")),
    program: v?.has("run") ? { in: words(v.get("in")), out: words(v.get("out")) } : undefined,
    pair,
  };
}

/** Returns a block's parameters with references to parameters of its groups replaced by their values, and the number of a range by its first. */
export function resolvedParams(b: FileBlock): Record<string, Value> {
  const number = firstNumber(shortName(b.name)) ?? firstNumber(b.name);
  const filled = (v: Value): Value => {
    if (number !== undefined && v === "${i}") return Number(number);
    if (number !== undefined && typeof v === "string" && v.includes("${i}")) return v.replaceAll("${i}", number);
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
    const text = String(scalar.value);
    const every = Number(isMap(item) ? (item.get("every") ?? 1) : 1);
    const quote = scalar.type === "QUOTE_SINGLE" ? "'" : scalar.type === "QUOTE_DOUBLE" || scalar !== item || list.flow ? '"' : "";
    return spelled(text).map((ends) => ({ ...ends, text, scope, quote, delay: isMap(item) && item.get("delay") === true, every, span: spanOf(scalar), entry: spanOf(item) }));
  });
}

function plain(v: unknown): string {
  return v === undefined || v === null ? "" : String(v);
}

/** Returns the files that describe a net, without those that its blocks read. */
export const ofNet = (files: readonly NetFileInfo[]): NetFileInfo[] => files.filter((f) => f.kind !== "block");
