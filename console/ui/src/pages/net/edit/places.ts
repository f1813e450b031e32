// Maps lines of a file to blocks and links, so that errors are shown in the drawing.
import type { FileError } from "../../../lib/findings";
import { splitRef } from "../graph";
import { flat } from "./flat";
import { groupsOf, resolve, spanOf, type NetFile, type Span } from "./netfile";
import { endOf, lineEnd } from "./text";

export interface Place {
  /** block or group; for a link its target block */
  block: string;
  /** for a link: "a.out -> b.in" */
  link?: string;
}

/** An error in one of a system's files. */
export interface Fault {
  /** "" if it belongs to no file */
  file: string;
  line: number;
  column: number;
  text: string;
}

/** Converts an error from the console. */
export function faultOf(e: FileError, checked: string): Fault {
  return { ...e, file: e.file ?? (e.line > 0 ? checked : "") };
}

/** Returns the innermost block, group or link in a line, counted from 1. */
export function placeAt(f: NetFile, line: number): Place | undefined {
  const from = offsetOf(f.text, line, 1);
  const to = lineEnd(f.text, from);
  const here = (s: Span): boolean => s.from <= to && s.to >= from;
  for (const l of flat(f).links) if (here(l.link.entry)) return { block: splitRef(l.to).block, link: `${l.from} -> ${l.to}` };
  for (const s of f.scopes) {
    for (const p of s.ports) if (here({ from: spanOf(p.pair.key).from, to: endOf(f.text, p.pair) })) return { block: splitRef(resolve(s, p.ref)).block };
    for (const b of s.blocks) if (here({ from: spanOf(b.pair.key).from, to: endOf(f.text, b.pair) })) return { block: b.name };
  }
  const group = groupsOf(f).findLast((g) => here({ from: spanOf(g.pair.key).from, to: endOf(f.text, g.pair) }));
  return group && { block: group.name };
}

/** Returns the offset of a line and column, both counted from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line && at < text.length; i++) at = Math.min(text.length, lineEnd(text, at) + 1);
  return Math.min(lineEnd(text, at), at + Math.max(0, column - 1));
}
