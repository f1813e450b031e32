// A system file as the editor sees it: what is in it, and where in the text. Changes are made in patch.ts.
import { isMap, isScalar, isSeq, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";
import type { Value } from "../../../lib/wire";

/** A part of the text, from one offset to another. */
export interface Span {
  from: number;
  to: number;
}

export interface FileBlock {
  name: string;
  type: string;
  thread: string;
  params: Record<string, Value>;
}

export interface FileLink {
  from: string;
  to: string;
  delay: boolean;
  every: number;
  /** of the text "a -> b" itself */
  span: Span;
  /** of the whole entry */
  entry: Span;
}

export interface NetFile {
  text: string;
  root: YAMLMap | undefined;
  threads: { name: string; period: string }[];
  blocks: FileBlock[];
  /** groups from files of their own, by name */
  groups: { name: string; include: string }[];
  links: FileLink[];
  /** why the text is no YAML; then nothing else is known */
  problem: { text: string; line: number; column: number } | undefined;
}

/** Reads a file. Text that is no YAML gives a problem, never an exception; what is no net is left out. */
export function read(text: string): NetFile {
  const doc = parseDocument(text, { prettyErrors: true });
  const e = doc.errors[0];
  const root = isMap(doc.contents) ? doc.contents : undefined;
  const problem = e ? { text: e.message.split("\n")[0] ?? e.message, line: e.linePos?.[0].line ?? 1, column: e.linePos?.[0].col ?? 1 } : undefined;
  return {
    text,
    root,
    threads: entries(root, "threads").map(([name, v]) => ({ name, period: isMap(v) ? plain(v.get("period")) : "" })),
    blocks: entries(root, "blocks").map(([name, v]) => ({
      name,
      type: isMap(v) ? plain(v.get("type")) : "",
      thread: isMap(v) ? plain(v.get("thread")) : "",
      params: isMap(v) && isMap(v.get("params")) ? ((v.get("params") as YAMLMap).toJSON() as Record<string, Value>) : {},
    })),
    groups: entries(root, "groups").map(([name, v]) => ({ name, include: isMap(v) ? plain(v.get("include")) : "" })),
    links: links(root),
    problem,
  };
}

/** The pair of a key in a mapping. */
export function pairOf(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((p) => isScalar(p.key) && String(p.key.value) === key);
}

/** The mapping under a key of a mapping. */
export function mapIn(map: YAMLMap | undefined, key: string): YAMLMap | undefined {
  const v = pairOf(map, key)?.value;
  return isMap(v) ? v : undefined;
}

export function spanOf(n: unknown): Span {
  const range = (n as Node | null | undefined)?.range;
  return { from: range?.[0] ?? 0, to: range?.[1] ?? 0 };
}

function entries(root: YAMLMap | undefined, key: string): [string, unknown][] {
  return (mapIn(root, key)?.items ?? []).flatMap((p): [string, unknown][] => (isScalar(p.key) ? [[String(p.key.value), p.value]] : []));
}

function links(root: YAMLMap | undefined): FileLink[] {
  const list = pairOf(root, "links")?.value;
  if (!isSeq(list)) return [];
  return list.items.flatMap((item): FileLink[] => {
    const scalar = isMap(item) ? pairOf(item, "link")?.value : item;
    if (!isScalar(scalar)) return [];
    const m = /^\s*(.+?)\s*->\s*(.+?)\s*$/s.exec(String(scalar.value));
    if (!m) return [];
    return [{ from: m[1] ?? "", to: m[2] ?? "", delay: isMap(item) && item.get("delay") === true, every: Number(isMap(item) ? (item.get("every") ?? 1) : 1), span: spanOf(scalar), entry: spanOf(item) }];
  });
}

function plain(v: unknown): string {
  return v === undefined || v === null ? "" : String(v);
}
