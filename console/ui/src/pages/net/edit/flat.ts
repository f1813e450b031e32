// The net of a file without its inline groups: full names only. Included groups remain.
import type { Port } from "../../../lib/wire";
import { splitRef } from "../graph";
import { blocksOf, linksOf, resolve, type FileBlock, type FileLink, type NetFile } from "./netfile";
import { spread } from "./range";

export interface FlatLink {
  /** full names */
  from: string;
  to: string;
  link: FileLink;
}

export interface FlatNet {
  blocks: FileBlock[];
  links: FlatLink[];
}

export function flat(f: NetFile): FlatNet {
  const links = linksOf(f).map((link) => {
    const { from, to } = spread(link.from, link.to);
    return { from: resolve(link.scope, from), to: resolve(link.scope, to), link };
  });
  return { blocks: blocksOf(f), links };
}

/** Returns "block.port" without an element selection. */
export function portOf(ref: string): string {
  const { block, port } = splitRef(ref);
  return `${block}.${port}`;
}

/** Returns why two ports of a file cannot be linked; "" if they can. */
export function linkProblem(f: NetFile, from: Port, to: Port, toRef: string): string {
  const kinds: Record<string, string> = { output: "input", event: "handler" };
  if (kinds[from.kind] !== to.kind) return `an ${from.kind} cannot be linked to ${to.kind === "input" ? "an input" : `a ${to.kind}`}`;
  if (from.type !== "" && to.type !== "" && from.type !== to.type) return `types differ: ${from.type} and ${to.type}`;
  if (to.kind === "input" && flat(f).links.some((l) => portOf(l.to) === toRef)) return `${toRef} is already linked`;
  return "";
}
