// Blocks that are copied: a piece of YAML with their entries and the links among them, as text that people can paste into any file, too.
import type { Pair } from "yaml";
import { splitRef } from "../graph";
import { addLines, inLines, linesOf, type Section } from "./entries";
import { again, around, read, scopeAt, shortName, spanOf, type NetFile } from "./netfile";
import { follow, renameEnds, type Renamed } from "./refs";
import { replace } from "./text";

const sections: Section[] = ["blocks", "groups", "links"];

/** Copies blocks and groups that lie side by side. */
export function copy(file: NetFile, names: string[]): string {
  const scope = around(names[0] ?? "");
  const f = inLines(file, scope, sections);
  const s = scopeAt(f, scope) ?? f;
  const chosen = new Set(names.map(shortName));
  const inside = (ref: string): boolean => chosen.has(splitRef(ref).block.split(".")[0] ?? "");
  const text = sections.map((section) => {
    const lines = linesOf(f, s, section, (item) =>
      section === "links" ? s.links.some((l) => l.entry.from === spanOf(item).from && inside(l.from) && inside(l.to)) : chosen.has(String((item as Pair).key)),
    );
    return lines === "" ? "" : `${section}:\n${lines.replace(/^(?=.)/gm, "  ")}`;
  });
  const alone: Renamed = new Map(names.map((n) => [n, shortName(n)]));
  return follow(read(text.join("")), f, alone).text;
}

/** Puts copied blocks into a scope under names that are free there. Returns their full names; none where the text is no copy. */
export function paste(file: NetFile, scope: string, copied: string): { text: string; names: string[] } {
  const fragment = inLines(read(copied), "", sections);
  const items = [...fragment.blocks, ...fragment.groups];
  if (fragment.problem || items.length === 0) return { text: file.text, names: [] };
  const s = scopeAt(file, scope) ?? file;
  const taken = new Set([...s.blocks, ...s.groups].map((x) => shortName(x.name)));
  const local: Renamed = new Map();
  for (const item of items) {
    const name = freeName(taken, item.name);
    taken.add(name);
    local.set(item.name, name);
  }
  const full: Renamed = new Map([...local].map(([old, name]) => [old, (file.prefix ?? "") + (scope === "" ? name : `${scope}.${name}`)]));
  const keys = items.map((x) => ({ ...spanOf(x.pair.key), with: local.get(x.name) ?? x.name }));
  const renamed = read(replace(fragment.text, [...keys, ...renameEnds(fragment, local)]));
  const ready = read(follow(renamed, fragment, full).text);
  let f = inLines(file, scope, sections);
  for (const section of sections) {
    const lines = linesOf(ready, ready, section, () => true);
    if (lines !== "") f = again(f, addLines(f, scope, section, lines));
  }
  return { text: f.text, names: [...local.values()].map((n) => (scope === "" ? n : `${scope}.${n}`)) };
}

/** A name that is free: the name itself, or with another number at its end. */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  if (!taken.has(name)) return name;
  const stem = name.replace(/\d+$/, "");
  for (let i = 2; ; i++) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
}
