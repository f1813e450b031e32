// Changes of a system file: each replaces as little of the text as possible, so that comments, order and layout stay as their author made them.
// Blocks, groups and ports go by their full names, as "arm.pid1" and "arm.pid1.out".
import { isMap, type Pair, type YAMLMap } from "yaml";
import type { Value } from "../../../lib/wire";
import { splitRef } from "../graph";
import { addEntry, addLines, inLines, setIn, without, withoutEntries } from "./entries";
import { again, around, find, groupNamed, mapIn, pairOf, resolve, scopeAt, shortName, spanOf, within, type FileLink, type NetFile } from "./netfile";
import { follow, renameEnds, type Following } from "./refs";
import { inYAML, replace, type Change } from "./text";

/** Adds a block to a scope. */
export function addBlock(f: NetFile, scope: string, name: string, type: string, thread: string): string {
  return addEntry(f, scope, "blocks", name, `{type: ${type}${thread === "" ? "" : `, thread: ${thread}`}}`);
}

/** Gives a block another type, thread or the like. */
export function setKey(f: NetFile, block: string, key: string, value: Value): string {
  return setIn(f.text, mapOf(f, block), key, inYAML(value));
}

/** Sets a parameter; undefined leaves it to its type again. */
export function setParam(f: NetFile, block: string, param: string, value: Value | undefined): string {
  const map = mapOf(f, block);
  const params = mapIn(map, "params");
  if (value === undefined) return replace(f.text, without(f.text, params, (p) => p === pairOf(params, param)));
  if (!params) return setIn(f.text, map, "params", `{${param}: ${inYAML(value)}}`);
  return setIn(f.text, params, param, inYAML(value));
}

function mapOf(f: NetFile, name: string): YAMLMap | undefined {
  const value = find(f, name)?.pair.value;
  return isMap(value) ? value : undefined;
}

/** Gives a block or group another name, wherever the file speaks of it. */
export function rename(f: NetFile, name: string, to: string): Following {
  const item = find(f, name);
  if (!item) return { text: f.text, told: [] };
  const names = new Map([[name, within(item.scope, to)]]);
  const text = replace(f.text, [{ ...spanOf(item.pair.key), with: inYAML(to) }, ...renameEnds(f, names)]);
  return follow(again(f, text), f, names);
}

/** Links two ports by their full names; groups between them get the ports that it takes. */
export function addLink(f: NetFile, from: string, to: string): string {
  return joined(f, from, to, (a, b) => `${a} -> ${b}`);
}

/** Links two ports as addLink does; the entry is written by write, from the ends as its scope names them, below some comment lines. */
export function joined(f: NetFile, from: string, to: string, write: (from: string, to: string) => string, above = ""): string {
  const [a, b] = [from, to].map((ref) => find(f, splitRef(ref).block)?.scope.path);
  const common = a === undefined || b === undefined ? "" : commonScope(a, b);
  const left = a === undefined ? { file: f, ref: from } : exposed(f, from, common);
  const right = b === undefined ? { file: left.file, ref: to } : exposed(left.file, to, common);
  const entry = write(left.ref, right.ref);
  if (above === "") return addEntry(right.file, common, "links", "", entry);
  return addLines(inLines(right.file, common, ["links"]), common, "links", `${above}- ${entry}\n`);
}

/** The innermost scope around two. */
function commonScope(a: string, b: string): string {
  for (let s = a; s !== ""; s = around(s)) if (b === s || b.startsWith(s + ".")) return s;
  return "";
}

/** Makes a port reachable in a scope around it: through ports of the groups between, which are made where they lack. */
export function exposed(file: NetFile, ref: string, upTo: string): { file: NetFile; ref: string } {
  const { block, port, elements } = splitRef(ref);
  let f = file;
  let local = `${shortName(block)}.${port}`;
  for (let path = around(block); path !== upTo && path !== ""; path = around(path)) {
    const ports = scopeAt(f, path)?.ports ?? [];
    const known = ports.find((p) => p.ref === local)?.name;
    const name = known ?? portName(ports.map((p) => p.name), local);
    if (known === undefined) f = again(f, addEntry(f, path, "ports", name, local));
    local = `${shortName(path)}.${name}`;
  }
  return { file: f, ref: local + elements };
}

/** A name for a port of a group, for a port within: its own, if that is free. */
export function portName(taken: string[], ref: string): string {
  const { block, port } = splitRef(ref);
  const long = `${block.replaceAll(".", "_")}_${port}`;
  for (const name of [port, long]) if (!taken.includes(name)) return name;
  for (let i = 2; ; i++) if (!taken.includes(`${long}${i}`)) return `${long}${i}`;
}

/** Removes links, and the ports of groups that nothing needs any more. */
export function removeLinks(f: NetFile, links: FileLink[]): string {
  const gone = new Set(links.map((l) => l.entry.from));
  const text = replace(f.text, f.scopes.flatMap((s) => withoutEntries(f.text, s, "links", (item) => gone.has(spanOf(item).from))));
  const atGroups = links.flatMap((l) => [l.from, l.to].filter((ref) => groupNamed(l.scope, ref)?.inner).map((ref): [string, string] => [l.scope.path, ref]));
  return atGroups.reduce((now, [scope, ref]) => withoutIdlePort(now, scope, ref), again(f, text)).text;
}

/** A file without a port of a group that was the end of a link, if it is not any more. */
function withoutIdlePort(f: NetFile, scope: string, ref: string): NetFile {
  const s = scopeAt(f, scope);
  const inner = s && groupNamed(s, ref)?.inner;
  const port = inner?.ports.find((p) => p.name === splitRef(ref).port);
  if (!s || !inner || !port) return f;
  const same = (r: string): boolean => groupNamed(s, r)?.inner === inner && splitRef(r).port === port.name;
  if (s.links.some((l) => same(l.from) || same(l.to)) || s.ports.some((p) => same(p.ref))) return f;
  return withoutIdlePort(again(f, replace(f.text, withoutEntries(f.text, inner, "ports", (p) => p === port.pair))), inner.path, port.ref);
}

/** Removes blocks and groups with the links to and from them. */
export function remove(f: NetFile, names: string[]): string {
  const gone = (name: string): boolean => names.some((n) => name === n || name.startsWith(n + "."));
  const links = f.scopes.flatMap((s) => s.links.filter((l) => [l.from, l.to].some((ref) => gone(splitRef(resolve(s, ref)).block))));
  const now = again(f, removeLinks(f, links));
  const entry = (scope: string, p: unknown): boolean => gone(scope === "" ? String((p as Pair).key) : `${scope}.${String((p as Pair).key)}`);
  const changes = now.scopes.filter((s) => !gone(s.path)).flatMap((s): Change[] => {
    const empty = s.path !== "" && [...s.blocks, ...s.groups].every((x) => gone(x.name)); // a group needs blocks or groups, if none
    return [
      ...withoutEntries(now.text, s, "blocks", (p) => entry(s.path, p), empty),
      ...withoutEntries(now.text, s, "groups", (p) => entry(s.path, p), empty && s.blocks.length === 0),
      ...withoutEntries(now.text, s, "ports", (p) => s.ports.some((x) => x.pair === p && gone(splitRef(resolve(s, x.ref)).block))),
    ];
  });
  return replace(now.text, changes);
}
