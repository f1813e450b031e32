// Finds names in panels and the script that no longer exist after an edit: both refer to blocks by name.
import { isScalar } from "yaml";
import type { DrawnNet } from "../graph";
import { splitRef } from "../graph";
import { blocksOf, find, groupsOf, pairOf, resolve, type FileGroup, type NetFile } from "./netfile";
import { isOf, panelRefs } from "./panelrefs";
import { covers, numbered } from "./range";
import { renamedOf, type Moves, type Renamed } from "./renamed";
import { withBlock } from "./refs";

export interface Dangling {
  /** for example "panel Tune Janus" or "script moves.star" */
  where: string;
  /** missing names, or a hint */
  names: string[];
}

/** Returns the full names of blocks that the edited file no longer has. */
export function removedBlocks(saved: NetFile, now: NetFile): string[] {
  const there = new Set(blocksOf(now).flatMap((b) => numbered(b.name)));
  return blocksOf(saved).flatMap((b) => numbered(b.name)).filter((name) => !there.has(name)).map((name) => (saved.prefix ?? "") + name);
}

/**
 * Returns what a save moves, by names in the system: names are those of the edited file by those of the saved one, roots the groups that
 * the file describes; none if it describes the system.
 */
export function movesIn(saved: NetFile, now: NetFile, names: Renamed, roots: string[]): Moves {
  return { blocks: renamedIn(saved, now, names, roots), ports: portsBehind(saved, now, names, roots) };
}

/** Returns the new names of blocks and groups that are in the edited file under another name than in the saved one. */
function renamedIn(saved: NetFile, now: NetFile, names: Renamed, roots: string[]): Renamed {
  const all = new Map<string, string>();
  for (const { name } of [...blocksOf(saved), ...groupsOf(saved)]) {
    const to = renamedOf(names, name);
    if (to === name || !find(now, to)) continue;
    for (const prefix of roots.length === 0 ? [""] : roots.map((r) => r + ".")) all.set(prefix + name, prefix + to);
  }
  return all;
}

/**
 * Returns the ports behind those of groups that the saved file has and the edited one does not: a panel that shows a port of a dissolved
 * group shows the same value afterwards.
 */
function portsBehind(saved: NetFile, now: NetFile, names: Renamed, roots: string[]): Moves["ports"] {
  const all = new Map<string, string>();
  for (const { name, inner } of groupsOf(saved)) {
    const still = find(now, renamedOf(names, name)) as FileGroup | undefined;
    for (const p of inner?.ports ?? []) {
      if (!inner || still?.inner?.ports.some((q) => q.name === p.name)) continue;
      const behind = resolve(inner, p.ref);
      const block = renamedOf(names, splitRef(behind).block);
      if (!find(now, block)) continue;
      for (const prefix of roots.length === 0 ? [""] : roots.map((r) => r + ".")) all.set(`${prefix}${name}.${p.name}`, prefix + withBlock(behind, block));
    }
  }
  return all;
}

/** Lists uses of removed blocks: exact for panels, by the texts of their files; the script is only named, as it is not parsed. */
export function dangling(removed: string[], renamed: Renamed, panels: ReadonlyMap<string, string>, script: string): Dangling[] {
  if (removed.length === 0) return [];
  const found: Dangling[] = [];
  const gone = removed.filter((b) => !renamed.has(b));
  for (const [name, text] of panels) {
    const names = panelRefs(text).filter((s) => gone.some((b) => isOf(s, b)));
    if (names.length > 0) found.push({ where: `panel ${name}`, names });
  }
  if (script !== "") found.push({ where: `script ${script}`, names: [`may use ${removed.slice(0, 3).join(", ")}${removed.length > 3 ? "…" : ""}; check it`] });
  return found;
}

/** Returns the names, of boxes that were placed by hand, that a net does not have. */
export function misplaced(placed: Iterable<string>, net: DrawnNet): string[] {
  const known = [...net.blocks, ...(net.groups ?? [])].map((x) => x.name);
  const exact = new Set(known);
  return [...placed].filter((name) => !exact.has(name) && !known.some((k) => covers(k, name)));
}

/** Returns the script of a system file; "" if it has none. */
export function scriptOf(f: NetFile): string {
  const s = pairOf(f.map, "script")?.value;
  return isScalar(s) ? String(s.value) : "";
}
