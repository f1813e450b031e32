// Entries of links that stand for several: "a.{x,y} -> b.{x,y}" is a link for each part of its lists, "a -> b -> c" a chain of whole
// blocks. A link of whole blocks joins all ports of one name; here its ends have the port "*".
import { splitRef } from "../graph";

export interface Ends {
  from: string;
  to: string;
}

/** The port of a whole block in a link: all ports that the other end has under the same name. */
export const allPorts = "*";

/** Returns the links that the text of an entry stands for, with their ranges; none if it is no link. */
export function spelled(text: string): Ends[] {
  const ends = text.split("->").map((x) => x.trim());
  if (ends.length < 2 || ends.includes("")) return [];
  return ends.slice(1).flatMap((to, k) => zipped(`${ends[k] ?? ""} -> ${to}`).map((hop): Ends => {
    const [a = "", b = ""] = hop.split(" -> ");
    return { from: withPort(a), to: withPort(b) };
  }));
}

/** Reports whether the text of an entry stands for several links: it has lists, is a chain, or joins whole blocks. */
export function isSeveral(text: string): boolean {
  const links = spelled(text);
  return links.length > 1 || links.some((l) => splitRef(l.from).port === allPorts);
}

/** Returns the shortest text of an entry for some links: a chain of whole blocks, or lists where their ends differ. */
export function written(links: Ends[]): string {
  const next = links.slice(1);
  if (next.length > 0 && next.every((l, k) => l.from === links[k]?.to && splitRef(l.from).port === allPorts))
    return [links[0]?.from ?? "", ...links.map((l) => l.to)].map((r) => splitRef(r).block).join(" -> ");
  const side = (refs: string[]): string => {
    const ends = refs.map((r) => (splitRef(r).port === allPorts ? splitRef(r).block : r));
    const [first = "", ...more] = ends;
    if (more.every((e) => e === first)) return first;
    const block = splitRef(first).block;
    if (block !== "" && ends.every((e) => splitRef(e).block === block)) return `${block}.{${ends.map((e) => e.slice(block.length + 1)).join(",")}}`;
    return `{${ends.join(",")}}`;
  };
  return `${side(links.map((l) => l.from))} -> ${side(links.map((l) => l.to))}`;
}

/** Renames blocks in the text of an entry. The lists are kept if that names the wanted links, else written again. */
export function withEnds(text: string, old: Ends[], now: Ends[]): string {
  const names = new Map(old.flatMap((l, k) => [[l.from, now[k]?.from ?? ""], [l.to, now[k]?.to ?? ""]].map(([a = "", b = ""]): [string, string] => [splitRef(a).block, splitRef(b).block])));
  const words = [...names.keys()].sort((a, b) => b.length - a.length).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const kept = text.replace(new RegExp(`(?<![\\w.-])(?:${words.join("|")})(?![\\w-])`, "g"), (w) => names.get(w) ?? w);
  return JSON.stringify(spelled(kept)) === JSON.stringify(now) ? kept : written(now);
}

function withPort(end: string): string {
  return /[.[]/.test(end.replace(/\$\{[^}]*\}/g, "")) ? end : `${end}.${allPorts}`;
}

/** Returns the texts that a text with lists stands for. Lists of different lengths, an error of the system, end with the shortest. */
function zipped(text: string): string[] {
  const pieces: string[][] = [];
  let begin = 0;
  for (let k = 0; k < text.length; k++) {
    if (text[k] !== "{") continue;
    const end = closing(text, k);
    if (end < 0) break;
    const list = split(text.slice(k + 1, end));
    if (list.length > 1 && text[k - 1] !== "$") {
      pieces.push([text.slice(begin, k)], list);
      begin = end + 1;
    }
    k = end;
  }
  pieces.push([text.slice(begin)]);
  const lists = pieces.filter((p) => p.length > 1);
  const count = lists.length === 0 ? 1 : Math.min(...lists.map((p) => p.length));
  return Array.from({ length: count }, (_, k) => pieces.map((p) => (p.length > 1 ? p[k] : p[0])).join(""));
}

function closing(text: string, begin: number): number {
  let depth = 0;
  for (let k = begin; k < text.length; k++) {
    if (text[k] === "{") depth++;
    else if (text[k] === "}" && --depth === 0) return k;
  }
  return -1;
}

/** Splits at the commas that are in no braces or brackets. */
function split(text: string): string[] {
  const list = [""];
  let depth = 0;
  for (const c of text) {
    if ("{[".includes(c)) depth++;
    if ("}]".includes(c)) depth--;
    if (c === "," && depth === 0) list.push("");
    else list[list.length - 1] += c;
  }
  return list.map((x) => x.trim());
}
