// The net of a file with all groups that are written in it dissolved: what runs in the end, but for groups from files of their own.
import { splitRef } from "../graph";
import { blocksOf, linksOf, resolve, type FileBlock, type FileLink, type NetFile } from "./netfile";

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
  return { blocks: blocksOf(f), links: linksOf(f).map((link) => ({ from: resolve(link.scope, link.from), to: resolve(link.scope, link.to), link })) };
}

/** "block.port" without the elements that are chosen. */
export function portOf(ref: string): string {
  const { block, port } = splitRef(ref);
  return `${block}.${port}`;
}
