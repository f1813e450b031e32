// Edits of a system file. Each changes as little text as possible, so that comments, order and layout are kept.
// Blocks, groups and ports are addressed by full names: "arm.pid1", "arm.pid1.out".
import { isMap, type Pair, type YAMLMap } from "yaml";
import type { Value } from "../../../lib/wire";
import { splitRef } from "../graph";
import { addEntry, addLines, toBlockStyle, setIn, without, withoutEntries } from "./entries";
import { written } from "./list";
import { reparse, enclosingGroup, find, groupNamed, mapIn, pairOf, resolve, scopeAt, shortName, spanOf, qualify, type FileLink, type NetFile } from "./netfile";
import { gathered } from "./range";
import { entriesOf, updateReferences, renameEnds, type EditResult } from "./refs";
import { toYAML, replace, type Change } from "./text";

/** Adds a block to a scope, on the lowest level if the scope has levels. */
export function addBlock(f: NetFile, scope: string, name: string, type: string, thread: string): string {
  return addEntry(f, scope, "blocks", name, `{type: ${type}${thread === "" ? "" : `, thread: ${thread}`}${(scopeAt(f, scope)?.levels ?? 0) > 0 ? ", level: 0" : ""}}`);
}

/** Sets a key of a block or group, such as its thread. */
export function setKey(f: NetFile, block: string, key: string, value: Value): string {
  return setIn(f.text, mapOf(f, block), key, toYAML(value));
}

/** Sets a parameter; undefined removes it, so that the type's default applies. */
export function setParam(f: NetFile, block: string, param: string, value: Value | undefined): string {
  const map = mapOf(f, block);
  const params = mapIn(map, "params");
  if (value === undefined) return replace(f.text, without(f.text, params, (p) => p === pairOf(params, param)));
  if (!params) return setIn(f.text, map, "params", `{${param}: ${toYAML(value)}}`);
  return setIn(f.text, params, param, toYAML(value));
}

function mapOf(f: NetFile, name: string): YAMLMap | undefined {
  const value = find(f, name)?.pair.value;
  return isMap(value) ? value : undefined;
}

/** Renames a block or group, with all references in the file. */
export function rename(f: NetFile, name: string, to: string): EditResult {
  const item = find(f, name);
  if (!item) return { text: f.text, notes: [], renamed: new Map() };
  const names = new Map([[name, qualify(item.scope, to)]]);
  const text = replace(f.text, [{ ...spanOf(item.pair.key), with: toYAML(to) }, ...renameEnds(f, names)]);
  return updateReferences(reparse(f, text), f, names);
}

/** Links two ports by their full names, adding ports to the groups between them as needed. */
export function addLink(f: NetFile, from: string, to: string): string {
  return joined(f, from, to, (a, b) => {
    const link = gathered(a, b);
    const text = `${link.from} -> ${link.to}`;
    return text.includes("{") ? `"${text}"` : text; // in brackets a brace needs quotes
  });
}

/** Links two ports like addLink. write formats the entry from the ends relative to its scope; above are comment lines before it. */
export function joined(f: NetFile, from: string, to: string, write: (from: string, to: string) => string, above = ""): string {
  const [a, b] = [from, to].map((ref) => find(f, splitRef(ref).block)?.scope.path);
  const common = a === undefined || b === undefined ? "" : commonScope(a, b);
  const left = a === undefined ? { file: f, ref: from } : exposed(f, from, common);
  const right = b === undefined ? { file: left.file, ref: to } : exposed(left.file, to, common);
  const entry = write(left.ref, right.ref);
  if (above === "") return addEntry(right.file, common, "links", "", entry);
  return addLines(toBlockStyle(right.file, common, ["links"]), common, "links", `${above}- ${entry}\n`);
}

/** Returns the innermost scope that contains both. */
function commonScope(a: string, b: string): string {
  for (let s = a; s !== ""; s = enclosingGroup(s)) if (b === s || b.startsWith(s + ".")) return s;
  return "";
}

/** Exposes a port in an enclosing scope through ports of the groups between, adding missing ones. Returns its reference there. */
export function exposed(file: NetFile, ref: string, upTo: string): { file: NetFile; ref: string } {
  const { block, port, elements } = splitRef(ref);
  let f = file;
  let local = `${shortName(block)}.${port}`;
  for (let path = enclosingGroup(block); path !== upTo && path !== ""; path = enclosingGroup(path)) {
    const ports = scopeAt(f, path)?.ports ?? [];
    const known = ports.find((p) => p.ref === local)?.name;
    const name = known ?? portName(ports.map((p) => p.name), local);
    if (known === undefined) f = reparse(f, addEntry(f, path, "ports", name, local));
    local = `${shortName(path)}.${name}`;
  }
  return { file: f, ref: local + elements };
}

/** Returns an unused name for a group's port: the inner port's name if possible. */
export function portName(taken: string[], ref: string): string {
  const { block, port } = splitRef(ref);
  const long = `${block.replaceAll(".", "_")}_${port}`;
  for (const name of [port, long]) if (!taken.includes(name)) return name;
  for (let i = 2; ; i++) if (!taken.includes(`${long}${i}`)) return `${long}${i}`;
}

/** Removes links, and the group ports that become unused. An entry with a list or chain keeps its other links. */
export function removeLinks(f: NetFile, links: FileLink[]): string {
  const entries = entriesOf(f.scopes.flatMap((s) => s.links)).map((all) => ({ all, stay: all.filter((l) => !links.some((x) => x.scope === l.scope && x.entry.from === l.entry.from && x.from === l.from && x.to === l.to)) }));
  const gone = new Set(entries.filter((e) => e.stay.length === 0).map((e) => e.all[0].entry.from));
  const shorter = entries.filter((e) => e.stay.length > 0 && e.stay.length < e.all.length).map(({ all: [{ span, quote }], stay }): Change => {
    const text = written(stay);
    const q = quote === "" && text.startsWith("{") ? '"' : quote; // a plain text begins with no brace
    return { ...span, with: q + text + q };
  });
  const text = replace(f.text, [...shorter, ...f.scopes.flatMap((s) => withoutEntries(f.text, s, "links", (item) => gone.has(spanOf(item).from)))]);
  const atGroups = links.flatMap((l) => [l.from, l.to].filter((ref) => groupNamed(l.scope, ref)?.inner).map((ref): [string, string] => [l.scope.path, ref]));
  return atGroups.reduce((now, [scope, ref]) => withoutUnusedPort(now, scope, ref), reparse(f, text)).text;
}

/** Removes a port of a group that was the end of a link, if it is now unused. */
function withoutUnusedPort(f: NetFile, scope: string, ref: string): NetFile {
  const s = scopeAt(f, scope);
  const inner = s && groupNamed(s, ref)?.inner;
  const port = inner?.ports.find((p) => p.name === splitRef(ref).port);
  if (!s || !inner || !port) return f;
  const same = (r: string): boolean => groupNamed(s, r)?.inner === inner && splitRef(r).port === port.name;
  if (s.links.some((l) => same(l.from) || same(l.to)) || s.ports.some((p) => same(p.ref))) return f;
  return withoutUnusedPort(reparse(f, replace(f.text, withoutEntries(f.text, inner, "ports", (p) => p === port.pair))), inner.path, port.ref);
}

/** Removes blocks and groups with their links. */
export function remove(f: NetFile, names: string[]): string {
  const gone = (name: string): boolean => names.some((n) => name === n || name.startsWith(n + "."));
  const links = f.scopes.flatMap((s) => s.links.filter((l) => [l.from, l.to].some((ref) => gone(splitRef(resolve(s, ref)).block))));
  const now = reparse(f, removeLinks(f, links));
  const entry = (scope: string, p: unknown): boolean => gone(scope === "" ? String((p as Pair).key) : `${scope}.${String((p as Pair).key)}`);
  const changes = now.scopes.filter((s) => !gone(s.path)).flatMap((s): Change[] => {
    const empty = s.path !== "" && [...s.blocks, ...s.groups].every((x) => gone(x.name)); // a group needs the key blocks or groups, even if empty
    return [
      ...withoutEntries(now.text, s, "blocks", (p) => entry(s.path, p), empty),
      ...withoutEntries(now.text, s, "groups", (p) => entry(s.path, p), empty && s.blocks.length === 0),
      ...withoutEntries(now.text, s, "ports", (p) => s.ports.some((x) => x.pair === p && gone(splitRef(resolve(s, x.ref)).block))),
    ];
  });
  return replace(now.text, changes);
}
