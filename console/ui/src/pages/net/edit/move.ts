// Moves blocks between groups of a file. The net stays the same except for names: links are rerouted through the groups' ports.
import { isSeq, type Pair } from "yaml";
import { splitRef } from "../graph";
import { addLines, toBlockStyle, linesOf, withoutEntries, type Section } from "./entries";
import { flat } from "./flat";
import { freeName } from "./fragment";
import { reparse, enclosingGroup, mapIn, pairOf, read, resolve, scopeAt, shortName, spanOf, type FileLink, type NetFile } from "./netfile";
import { exposed, joined, removeLinks } from "./patch";
import { renamedOf, type Renamed } from "./renamed";
import { updateReferences, withBlock, type EditResult } from "./refs";
import { chunks, toYAML, lineStart, replace } from "./text";

const sections: Section[] = ["blocks", "groups", "links"];

/** Moves blocks and groups of one scope into another scope. A group is not moved into itself. */
export function move(file: NetFile, names: string[], to: string): EditResult & { names: string[] } {
  const from = enclosingGroup(names[0] ?? "");
  const isMoved = (name: string): boolean => names.some((n) => name === n || name.startsWith(n + "."));
  if (from === to || isMoved(to)) return { text: file.text, notes: [], renamed: new Map(), names };
  let f = toBlockStyle(toBlockStyle(file, from, sections), to, ["blocks", "groups"]);

  // New names, and the links and group ports of the moved blocks before the move.
  const taken = new Set([...(scopeAt(f, to)?.blocks ?? []), ...(scopeAt(f, to)?.groups ?? [])].map((x) => shortName(x.name)));
  const renamed = new Map<string, string>();
  for (const n of names) {
    const free = freeName(taken, shortName(n));
    taken.add(free);
    renamed.set(n, to === "" ? free : `${to}.${free}`);
  }
  const now = (ref: string): string => withBlock(ref, renamedOf(renamed, splitRef(ref).block));
  const touched = flat(f).links.filter((l) => !isMoved(l.link.scope.path) && [l.from, l.to].some((ref) => isMoved(splitRef(ref).block)));
  const leaves = new Set(touched.map((l) => l.link));
  const entries = touched.map((l) => ({ from: now(l.from), to: now(l.to), write: writer(f, l.link), above: commentAbove(f, l.link, leaves) }));
  const shown = f.scopes.filter((s) => !isMoved(s.path)).flatMap((s) => s.ports.map((p) => ({ scope: s.path, name: p.name, ref: resolve(s, p.ref) }))).filter((p) => isMoved(splitRef(p.ref).block));

  f = reparse(f, removeLinks(f, touched.map((l) => l.link)));
  const s = scopeAt(f, from) ?? f;
  const goes = (p: unknown): boolean => names.some((n) => shortName(n) === String((p as Pair).key));
  const lines = (["blocks", "groups"] as const).map((section): [Section, string] => [section, withNames(linesOf(f, s, section, goes), renamed, section)]);
  const empty = s.path !== "" && [...s.blocks, ...s.groups].every((x) => names.includes(x.name));
  f = reparse(f, replace(f.text, [...withoutEntries(f.text, s, "blocks", goes, empty), ...withoutEntries(f.text, s, "groups", goes, empty && s.blocks.length === 0)]));
  for (const [section, text] of lines) if (text !== "") f = reparse(f, addLines(f, to, section, text));

  // Ports of groups around the new place are updated, others are removed. Ports that existed only for a link are already gone.
  for (const p of shown) {
    const pair = (): Pair | undefined => pairOf(mapIn(scopeAt(f, p.scope)?.map, "ports"), p.name);
    if (!pair()) continue;
    if (p.scope === "" || to === p.scope || to.startsWith(p.scope + ".")) {
      const way = exposed(f, now(p.ref), p.scope);
      f = way.file;
      f = reparse(f, replace(f.text, [{ ...spanOf(pair()?.value), with: toYAML(way.ref) }]));
    } else f = reparse(f, replace(f.text, withoutEntries(f.text, scopeAt(f, p.scope) ?? f, "ports", (x) => x === pair())));
  }
  for (const l of entries) f = reparse(f, joined(f, l.from, l.to, l.write, l.above));
  return { ...updateReferences(f, file, renamed), names: [...renamed.values()] };
}

/** Returns a function that writes a link in its original form, with its options, between other ends. */
function writer(f: NetFile, l: FileLink): (from: string, to: string) => string {
  const before = f.text.slice(l.entry.from, l.span.from);
  const after = f.text.slice(l.span.to, l.entry.to).trimEnd();
  const comment = /^[ \t]*#.*/.exec(f.text.slice(l.entry.to))?.[0] ?? "";
  return (from, to) => `${before}${l.quote}${from} -> ${to}${l.quote}${after}${comment}`;
}

/** Returns the comment lines that belong to a link that is removed with others. */
function commentAbove(f: NetFile, l: FileLink, leaves: Set<FileLink>): string {
  const list = pairOf(l.scope.map, "links")?.value;
  if (!isSeq(list) || list.flow) return "";
  const going = new Set([...leaves].filter((x) => x.scope === l.scope).map((x) => x.entry.from));
  const chunk = chunks(f.text, list, (item) => going.has(spanOf(item).from)).find((c) => c.from <= l.entry.from && c.to > l.entry.from);
  return chunk ? f.text.slice(chunk.from, lineStart(f.text, l.entry.from)).replace(/^[ \t]+/gm, "") : "";
}

/** Renames the entries of a section. */
function withNames(lines: string, names: Renamed, section: Section): string {
  if (lines === "") return "";
  const f = read(`${section}:\n${lines.replace(/^(?=.)/gm, "  ")}`);
  const keys = [...f.blocks, ...f.groups].flatMap((x) => {
    const to = [...names].find(([old]) => shortName(old) === x.name)?.[1];
    return to === undefined || shortName(to) === x.name ? [] : [{ ...spanOf(x.pair.key), with: shortName(to) }];
  });
  const now = reparse(f, replace(f.text, keys));
  return linesOf(now, now, section, () => true);
}
