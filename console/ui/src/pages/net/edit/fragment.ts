// Copy and paste of blocks as YAML: their entries and the links among them. The text can also be pasted into any other file.
import type { Pair } from "yaml";
import { splitRef } from "../graph";
import { addLines, toBlockStyle, linesOf, type Section } from "./entries";
import { reparse, enclosingGroup, read, scopeAt, shortName, spanOf, type NetFile } from "./netfile";
import type { Renamed } from "./renamed";
import { updateReferences, renameEnds } from "./refs";
import { replace } from "./text";

const sections: Section[] = ["blocks", "groups", "links"];

/** Copies blocks and groups of one scope. */
export function copy(file: NetFile, names: string[]): string {
  const scope = enclosingGroup(names[0] ?? "");
  const f = toBlockStyle(file, scope, sections);
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
  return updateReferences(read(text.join("")), f, alone).text;
}

/** Pastes copied blocks into a scope under unused names. Returns their full names; none if the text contains no blocks. */
export function paste(file: NetFile, scope: string, copied: string): { text: string; names: string[] } {
  const fragment = toBlockStyle(read(copied), "", sections);
  const items = [...fragment.blocks, ...fragment.groups];
  if (fragment.problem || items.length === 0) return { text: file.text, names: [] };
  const s = scopeAt(file, scope) ?? file;
  const taken = new Set([...s.blocks, ...s.groups].map((x) => shortName(x.name)));
  const local = new Map<string, string>();
  for (const item of items) {
    const name = freeName(taken, item.name);
    taken.add(name);
    local.set(item.name, name);
  }
  const full: Renamed = new Map([...local].map(([old, name]) => [old, (file.prefix ?? "") + (scope === "" ? name : `${scope}.${name}`)]));
  const keys = items.map((x) => ({ ...spanOf(x.pair.key), with: local.get(x.name) ?? x.name }));
  const renamed = read(replace(fragment.text, [...keys, ...renameEnds(fragment, local)]));
  const ready = read(updateReferences(renamed, fragment, full).text);
  let f = toBlockStyle(file, scope, sections);
  for (const section of sections) {
    const lines = linesOf(ready, ready, section, () => true);
    if (lines !== "") f = reparse(f, addLines(f, scope, section, lines));
  }
  return { text: f.text, names: [...local.values()].map((n) => (scope === "" ? n : `${scope}.${n}`)) };
}

/** Returns an unused name: the name itself, or with another number at its end. */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  if (!taken.has(name)) return name;
  const stem = name.replace(/\d+$/, "");
  for (let i = 2; ; i++) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
}
