// What will no longer be found under the names that it uses once an edited file is saved: panels bind blocks by name, scripts call them.
import { isScalar } from "yaml";
import type { Value } from "../../../lib/wire";
import { blocksOf, pairOf, type NetFile } from "./netfile";

export interface Lost {
  /** as "panel Tune Janus", "script moves.star" */
  where: string;
  /** names that will not be there, or what there is to say */
  what: string[];
}

/** Full names of blocks that a file had and has no longer. */
export function goneBlocks(saved: NetFile, now: NetFile): string[] {
  const there = new Set(blocksOf(now).map((b) => b.name));
  return blocksOf(saved).filter((b) => !there.has(b.name)).map((b) => (saved.prefix ?? "") + b.name);
}

/** What names blocks that are gone: panels surely, the script perhaps. */
export function lost(gone: string[], panels: Map<string, Value>, script: string): Lost[] {
  if (gone.length === 0) return [];
  const found: Lost[] = [];
  for (const [name, panel] of panels) {
    const what = [...new Set(strings(panel).filter((s) => gone.some((b) => s === b || s.startsWith(b + "."))))];
    if (what.length > 0) found.push({ where: `panel ${name}`, what });
  }
  if (script !== "") found.push({ where: `script ${script}`, what: [`may name ${gone.slice(0, 3).join(", ")}${gone.length > 3 ? "…" : ""}: look through it`] });
  return found;
}

/** The script of a system file; "" where there is none. */
export function scriptOf(f: NetFile): string {
  const s = pairOf(f.map, "script")?.value;
  return isScalar(s) ? String(s.value) : "";
}

function strings(v: Value): string[] {
  if (typeof v === "string") return [v];
  if (v === null || typeof v !== "object") return [];
  return (Array.isArray(v) ? v : Object.values(v)).flatMap(strings);
}
