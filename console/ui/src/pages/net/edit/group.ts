// Blocks that are put into a group of their own in the same file, and a group that is dissolved into what is around it. The net stays the same but
// for names: links that cross the border of the group go through its ports.
import { isMap, isScalar, visit, type Pair } from "yaml";
import { splitRef } from "../graph";
import { addLines, inLines, linesOf, withoutEntries, type Section } from "./entries";
import { again, around, find, groupNamed, pairOf, scopeAt, shortName, spanOf, type FileGroup, type FileLink, type NetFile, type Scope } from "./netfile";
import { portName } from "./patch";
import { follow, mapEnds, renameEnds, withBlock, type Following, type Renamed } from "./refs";
import { chunks, column, lineEnd, replace, type Change } from "./text";

/** Whether all of some blocks and groups lie side by side, so that they can be one group. */
export function areSiblings(names: string[]): boolean {
  return names.length > 0 && names.every((n) => around(n) === around(names[0] ?? ""));
}

/** Puts blocks and groups that lie side by side into a new group there. */
export function group(file: NetFile, names: string[], name: string): Following {
  const scope = around(names[0] ?? "");
  const path = scope === "" ? name : `${scope}.${name}`;
  const f = inLines(file, scope, ["blocks", "groups", "links", "ports"]);
  const s = scopeAt(f, scope) ?? f;
  const moved = new Set(names.map(shortName));
  const isMoved = (ref: string): boolean => moved.has(splitRef(ref).block.split(".")[0] ?? "");
  const isInside = (l: FileLink): boolean => isMoved(l.from) && isMoved(l.to);

  // Ports of the new group, by the port behind each.
  const ports = new Map<string, string>();
  const through = (ref: string): string => {
    const { block, port, elements } = splitRef(ref);
    const behind = `${block}.${port}`;
    if (!ports.has(behind)) ports.set(behind, portName([...ports.values()], behind));
    return `${name}.${ports.get(behind) ?? port}${elements}`;
  };
  const crossing = mapEnds({ ...s, links: s.links.filter((l) => !isInside(l)) }, (ref) => (isMoved(ref) ? through(ref) : ref));

  const goes = (section: Section) => (item: unknown): boolean =>
    section === "links" ? s.links.some((l) => l.entry.from === spanOf(item).from && isInside(l)) : moved.has(String((item as Pair).key));
  const taken = (section: Section): string => linesOf(f, s, section, goes(section));
  const content = (["blocks", "groups", "links"] as const).map((section) => ({ section, text: taken(section) })).filter((x) => x.text !== "");
  const body = content.map((x) => `  ${x.section}:\n${x.text.replace(/^(?=.)/gm, "    ")}`).join("");
  const shown = [...ports].map(([behind, port]) => `    ${port}: ${behind}\n`).join("");
  const entry = `${name}:\n${body}${shown === "" ? "" : `  ports:\n${shown}`}`;

  const renamed: Renamed = new Map(names.map((n) => [n, `${path}.${shortName(n)}`]));
  const inMoved = (p: string): boolean => names.some((n) => p === n || p.startsWith(n + "."));
  const outer = renameEnds(f, renamed, (x) => x.path !== scope && !inMoved(x.path));
  const rest = again(f, replace(f.text, [...crossing, ...outer, ...(["blocks", "groups", "links"] as const).flatMap((x) => withoutEntries(f.text, s, x, goes(x)))]));
  return follow(again(f, addLines(rest, scope, "groups", entry)), file, renamed);
}

/** Dissolves a group that is written in the file: what it holds comes into the scope around it. */
export function ungroup(file: NetFile, name: string): Following {
  const scope = around(name);
  const names: Renamed = new Map();
  let f = inLines(inLines(file, scope, ["blocks", "groups", "links"]), name, ["blocks", "groups", "links"]);
  const inner = (find(f, name) as FileGroup | undefined)?.inner;
  if (!inner) return { text: file.text, told: [] };

  // Names that are taken outside get the group's before them; the values of its parameters come into their places.
  const outside = scopeAt(f, scope) ?? f;
  const taken = new Set([...outside.blocks, ...outside.groups].map((x) => x.name).filter((n) => n !== name));
  const inside: Renamed = new Map();
  for (const item of [...inner.blocks, ...inner.groups]) {
    const free = freeName(taken, scope, shortName(item.name), shortName(name));
    taken.add(free);
    names.set(item.name, free);
    if (shortName(free) !== shortName(item.name)) inside.set(item.name, `${name}.${shortName(free)}`);
  }
  const keys = [...inner.blocks, ...inner.groups].filter((x) => inside.has(x.name)).map((x) => ({ ...spanOf(x.pair.key), with: shortName(inside.get(x.name) ?? "") }));
  f = again(f, replace(f.text, [...keys, ...renameEnds(f, inside, (s) => s.path === name)]));
  f = again(f, withParams(f, name));

  const g = find(f, name) as FileGroup;
  const s = g.scope;
  const ports = new Map((g.inner?.ports ?? []).map((p) => [p.name, p.ref]));
  const crossing = mapEnds(s, (ref) => {
    const { port, elements } = splitRef(ref);
    const behind = groupNamed(s, ref) === g ? ports.get(port) : undefined;
    return behind === undefined ? ref : elements === "" ? behind : withBlock(`x.${splitRef(behind).port}${elements}`, splitRef(behind).block);
  });
  const outer = renameEnds(f, names, (x) => x.path !== scope && x.path !== name && !x.path.startsWith(name + "."));
  const all = (): boolean => true;
  const content = (["blocks", "groups", "links"] as const).map((section) => ({ section, text: g.inner ? linesOf(f, g.inner, section, all) : "" })).filter((x) => x.text !== "");
  const heading = headingOf(f, s, g);
  let rest = again(f, replace(f.text, [...crossing, ...outer, ...withoutEntries(f.text, s, "groups", (p) => p === g.pair)]));
  content.forEach(({ section, text }, i) => (rest = again(f, addLines(rest, scope, section, i === 0 ? heading + text : text))));
  return follow(rest, file, names);
}

/** A name that is free in a scope; where it is not, the group's before it. */
function freeName(taken: Set<string>, scope: string, name: string, group: string): string {
  const full = (n: string): string => (scope === "" ? n : `${scope}.${n}`);
  for (const n of [name, `${group}_${name}`]) if (!taken.has(full(n))) return full(n);
  for (let i = 2; ; i++) if (!taken.has(full(`${group}_${name}${i}`))) return full(`${group}_${name}${i}`);
}

/** The comments above a group, and what it is, as comment lines: they head its blocks when it is dissolved. */
function headingOf(f: NetFile, s: Scope, g: FileGroup): string {
  const list = pairOf(s.map, "groups")?.value;
  const from = spanOf(g.pair.key).from;
  const span = isMap(list) ? chunks(f.text, list, (p) => p === g.pair)[0] : undefined;
  const above = span ? f.text.slice(span.from, Math.max(span.from, from - column(f.text, from))) : "";
  const behind = /#.*$/.exec(f.text.slice(from, lineEnd(f.text, from)))?.[0];
  const description = pairOf(g.inner?.map, "description")?.value;
  return [above.replace(/^[ \t]+/gm, ""), behind ? behind + "\n" : "", isScalar(description) ? `# ${String(description.value).trim()}\n` : ""].join("");
}

/** The text of a file in which the values of a group's parameters stand where the group named them. */
function withParams(f: NetFile, name: string): string {
  const inner = scopeAt(f, name);
  const params = pairOf(inner?.map, "params")?.value;
  if (!inner?.map || !isMap(params)) return f.text;
  const values = new Map(params.items.map((p) => [String(p.key), { node: p.value, text: f.text.slice(spanOf(p.value).from, spanOf(p.value).to).trim() }]));
  const changes: Change[] = [];
  visit(inner.map, {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string") return;
      const whole = /^\$\{([^}]*)\}$/.exec(node.value)?.[1];
      const value = whole === undefined ? undefined : values.get(whole);
      const part = node.value.replace(/\$\{([^}]*)\}/g, (all, p: string) => (isScalar(values.get(p)?.node) ? values.get(p)?.text.replace(/^(["'])(.*)\1$/, "$2") ?? all : all));
      if (value) changes.push({ ...spanOf(node), with: value.text });
      else if (part !== node.value) changes.push({ ...spanOf(node), with: JSON.stringify(part) });
    },
  });
  const own = spanOf(params);
  return replace(f.text, changes.filter((c) => c.to <= own.from || c.from >= own.to));
}
