// Groups blocks in a file, and dissolves a group into its enclosing scope. The net stays the same except for
// names: links that cross the group's border go through its ports.
import { isMap, isScalar, visit, type Pair } from "yaml";
import { splitRef } from "../graph";
import { addLines, toBlockStyle, linesOf, withoutEntries, type Section } from "./entries";
import { reparse, enclosingGroup, find, groupNamed, pairOf, scopeAt, shortName, spanOf, type FileGroup, type FileLink, type NetFile, type Scope } from "./netfile";
import { portName } from "./patch";
import type { Renamed } from "./renamed";
import { updateReferences, mapEnds, renameEnds, withBlock, type EditResult } from "./refs";
import { chunks, column, lineEnd, replace, type Change } from "./text";

/** Reports whether all names are in the same scope, so that they can form a group. */
export function areSiblings(names: string[]): boolean {
  return names.length > 0 && names.every((n) => enclosingGroup(n) === enclosingGroup(names[0] ?? ""));
}

/** Moves blocks and groups of one scope into a new group in that scope, which gets their lowest level if the scope has levels. */
export function group(file: NetFile, names: string[], name: string): EditResult {
  const scope = enclosingGroup(names[0] ?? "");
  const path = scope === "" ? name : `${scope}.${name}`;
  const f = toBlockStyle(file, scope, ["blocks", "groups", "links", "ports"]);
  const s = scopeAt(f, scope) ?? f;
  const moved = new Set(names.map(shortName));
  const isMoved = (ref: string): boolean => moved.has(splitRef(ref).block.split(".")[0] ?? "");
  const isInside = (l: FileLink): boolean => isMoved(l.from) && isMoved(l.to);

  // Ports of the new group, by inner port.
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
  const level = Math.min(...[...s.blocks, ...s.groups].filter((x) => moved.has(shortName(x.name))).map((x) => Number(x.level) || 0));
  const levels = s.levels > 0 ? `  level: ${level}\n  levels: ${s.levels}\n` : ""; // the members keep theirs
  const entry = `${name}:\n${levels}${body}${shown === "" ? "" : `  ports:\n${shown}`}`;

  const renamed: Renamed = new Map(names.map((n) => [n, `${path}.${shortName(n)}`]));
  const inMoved = (p: string): boolean => names.some((n) => p === n || p.startsWith(n + "."));
  const outer = renameEnds(f, renamed, (x) => x.path !== scope && !inMoved(x.path));
  const rest = reparse(f, replace(f.text, [...crossing, ...outer, ...(["blocks", "groups", "links"] as const).flatMap((x) => withoutEntries(f.text, s, x, goes(x)))]));
  return updateReferences(reparse(f, addLines(rest, scope, "groups", entry)), file, renamed);
}

/** Dissolves an inline group: its contents move into the enclosing scope. */
export function ungroup(file: NetFile, name: string): EditResult {
  const scope = enclosingGroup(name);
  const names = new Map<string, string>();
  let f = toBlockStyle(toBlockStyle(file, scope, ["blocks", "groups", "links"]), name, ["blocks", "groups", "links"]);
  const inner = (find(f, name) as FileGroup | undefined)?.inner;
  if (!inner) return { text: file.text, notes: [], renamed: new Map() };
  const kept = keptTogether(file, name);
  if (kept !== "") return { text: file.text, notes: [`${name} stays a group: ${kept}`], renamed: new Map() };

  // Names already used outside get the group's name as a prefix; parameters of the group are replaced by their values.
  const outside = scopeAt(f, scope) ?? f;
  const taken = new Set([...outside.blocks, ...outside.groups].map((x) => x.name).filter((n) => n !== name));
  const inside = new Map<string, string>();
  for (const item of [...inner.blocks, ...inner.groups]) {
    const free = freeName(taken, scope, shortName(item.name), shortName(name));
    taken.add(free);
    names.set(item.name, free);
    if (shortName(free) !== shortName(item.name)) inside.set(item.name, `${name}.${shortName(free)}`);
  }
  const keys = [...inner.blocks, ...inner.groups].filter((x) => inside.has(x.name)).map((x) => ({ ...spanOf(x.pair.key), with: shortName(inside.get(x.name) ?? "") }));
  f = reparse(f, replace(f.text, [...keys, ...renameEnds(f, inside, (s) => s.path === name)]));
  f = reparse(f, withParams(f, name));

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
  let rest = reparse(f, replace(f.text, [...crossing, ...outer, ...withoutEntries(f.text, s, "groups", (p) => p === g.pair)]));
  content.forEach(({ section, text }, i) => (rest = reparse(f, addLines(rest, scope, section, i === 0 ? heading + text : text))));
  return updateReferences(rest, file, names);
}

/** Returns why a group cannot be dissolved without another meaning of its blocks; "" if it can. */
function keptTogether(file: NetFile, name: string): string {
  const g = find(file, name) as FileGroup;
  const key = ["thread", "every", "on_enable"].find((k) => pairOf(g.inner?.map, k));
  if (key !== undefined) return `its blocks have ${key} from it; write it at each of them first`;
  const enables = (ref: string): boolean => splitRef(ref).port === "enable" && groupNamed(g.scope, ref) === g;
  const own = (g.inner?.ports ?? []).some((p) => p.name === "enable");
  const linked = g.scope.links.some((l) => enables(l.to)) || g.scope.ports.some((p) => enables(p.ref));
  return linked && !own ? "a link enables all of it; remove that first" : "";
}

/** Returns an unused name in a scope, with the group's name as a prefix if needed. */
function freeName(taken: Set<string>, scope: string, name: string, group: string): string {
  const full = (n: string): string => (scope === "" ? n : `${scope}.${n}`);
  for (const n of [name, `${group}_${name}`]) if (!taken.has(full(n))) return full(n);
  for (let i = 2; ; i++) if (!taken.has(full(`${group}_${name}${i}`))) return full(`${group}_${name}${i}`);
}

/** Returns a group's comments and description as comment lines, to precede its blocks when it is dissolved. */
function headingOf(f: NetFile, s: Scope, g: FileGroup): string {
  const list = pairOf(s.map, "groups")?.value;
  const from = spanOf(g.pair.key).from;
  const span = isMap(list) ? chunks(f.text, list, (p) => p === g.pair)[0] : undefined;
  const above = span ? f.text.slice(span.from, Math.max(span.from, from - column(f.text, from))) : "";
  const behind = /#.*$/.exec(f.text.slice(from, lineEnd(f.text, from)))?.[0];
  const description = pairOf(g.inner?.map, "description")?.value;
  return [above.replace(/^[ \t]+/gm, ""), behind ? behind + "\n" : "", isScalar(description) ? `# ${String(description.value).trim()}\n` : ""].join("");
}

/** Returns the file's text with references to a group's parameters replaced by their values. */
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
