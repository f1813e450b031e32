// Updates references by full name when blocks are renamed: parameters that name a block, patterns of recorded
// ports and watched signals, deployed programs, and links into a group.
import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import { splitRef } from "../graph";
import { withEnds } from "./list";
import { blocksOf, mapIn, pairOf, spanOf, qualify, type FileLink, type NetFile, type Scope } from "./netfile";
import { renamedOf, type Renamed } from "./renamed";
import { toYAML, replace, type Change } from "./text";

/** Replaces the block in a reference "block.port[elements]". */
export function withBlock(ref: string, block: string): string {
  const { port, elements } = splitRef(ref);
  return `${block}.${port}${elements}`;
}

/** Returns the changes that rename blocks in the links and ports of some scopes. */
export function renameEnds(f: NetFile, names: Renamed, of: (s: Scope) => boolean = () => true): Change[] {
  return f.scopes.filter(of).flatMap((s) => mapEnds(s, (ref) => {
    const { block } = splitRef(ref);
    const now = renamedOf(names, qualify(s, block));
    if (now === qualify(s, block) || (s.path !== "" && !now.startsWith(s.path + "."))) return ref;
    return withBlock(ref, s.path === "" ? now : now.slice(s.path.length + 1));
  }));
}

/** Returns the changes that map each end of a scope's links, and each port's reference. */
export function mapEnds(s: Scope, map: (ref: string) => string): Change[] {
  const links = entriesOf(s.links).map((all) => {
    const [{ span, text, quote }] = all;
    const now = all.map((l) => ({ from: map(l.from), to: map(l.to) }));
    const same = now.every((n, k) => n.from === all[k]?.from && n.to === all[k]?.to);
    return { ...span, old: text, now: same ? text : withEnds(text, all.map(({ from, to }) => ({ from, to })), now), quote };
  });
  const ports = s.ports.map((p) => ({ ...spanOf(p.pair.value), old: p.ref, now: map(p.ref), quote: p.ref.includes("[") ? '"' : "" }));
  return [...links, ...ports].filter((c) => c.old !== c.now).map((c) => ({ from: c.from, to: c.to, with: c.quote + c.now + c.quote }));
}

/** Returns links by their entries: those of a list or chain together. */
export function entriesOf(links: FileLink[]): [FileLink, ...FileLink[]][] {
  const all = new Map<Scope, Map<number, [FileLink, ...FileLink[]]>>();
  for (const l of links) {
    const ofScope = all.get(l.scope) ?? new Map<number, [FileLink, ...FileLink[]]>();
    all.set(l.scope, ofScope);
    const others = ofScope.get(l.entry.from);
    if (others) others.push(l);
    else ofScope.set(l.entry.from, [l]);
  }
  return [...all.values()].flatMap((m) => [...m.values()]);
}

/** The result of an edit that renames blocks. */
export interface EditResult {
  text: string;
  /** updated references as text: "joint1.peer_name: aic01 → arm.aic01" */
  notes: string[];
  renamed: Renamed;
}

/** Updates all references by full name except links. before is the file with the old names. */
export function updateReferences(f: NetFile, before: NetFile, names: Renamed): EditResult {
  const notes: string[] = [];
  const changes: Change[] = [];
  const { prefix } = before;
  if (prefix === undefined) return { text: f.text, notes, renamed: names };
  const rename = (what: string, s: Scalar): void => {
    const old = String(s.value);
    if (!old.startsWith(prefix)) return;
    const now = prefix + renamedOf(names, old.slice(prefix.length));
    if (now === old) return;
    changes.push({ ...spanOf(s), with: toYAML(now) });
    notes.push(`${what}: ${old} → ${now}`);
  };
  const known = new Set(blocksOf(before).map((b) => prefix + b.name));
  for (const b of blocksOf(f)) {
    const params = isMap(b.pair.value) ? mapIn(b.pair.value, "params") : undefined;
    for (const p of params?.items ?? []) if (isScalar(p.value) && typeof p.value.value === "string" && known.has(p.value.value)) rename(`${b.name}.${String(p.key)}`, p.value as Scalar);
  }
  const processes = mapIn(mapIn(f.map, "deploy"), "processes");
  for (const p of processes?.items ?? []) {
    if (isScalar(p.key)) rename("deploy.processes", p.key);
    const needs = isMap(p.value) ? p.value.get("needs") : undefined;
    if (isSeq(needs)) for (const n of needs.items) if (isScalar(n)) rename("deploy.needs", n);
  }
  const record = patterns("record", f, before, names, pairOf(mapIn(f.map, "record"), "ports")?.value);
  const watch = patterns("watch", f, before, names, pairOf(f.map, "watch")?.value);
  return { text: replace(f.text, [...changes, ...record.changes, ...watch.changes]), notes: [...notes, ...record.notes, ...watch.notes], renamed: names };
}

/** Updates a list of patterns of ports under a key: a pattern that matched a renamed block gets a second pattern, or is replaced. */
function patterns(key: string, f: NetFile, before: NetFile, names: Renamed, list: unknown): { changes: Change[]; notes: string[] } {
  const changes: Change[] = [];
  const notes: string[] = [];
  if (!isSeq(list)) return { changes, notes };
  const all = blocksOf(before).map((b) => b.name);
  for (const item of list.items) {
    if (!isScalar(item)) continue;
    const pattern = String(item.value);
    const { block, rest } = /^(?<block>.*)(?<rest>\.[^.]*)$/s.exec(pattern)?.groups ?? { block: pattern, rest: "" };
    const matches = glob(block ?? "");
    const gone = all.filter((b) => matches.test(b) && !matches.test(renamedOf(names, b)));
    if (gone.length === 0) continue;
    const stays = all.some((b) => matches.test(b) && !gone.includes(b)) || (/[*?[]/.test(block ?? "") && f.scopes.some((s) => s.groups.some((g) => g.include !== "")));
    const more = [...new Set(gone.map((b) => moved(block ?? "", b, renamedOf(names, b)) + rest))];
    const quote = /^["']/.exec(f.text.slice(spanOf(item).from))?.[0];
    const write = (p: string): string => (quote ? quote + p + quote : toYAML(p));
    const now = [...(stays ? [pattern] : []), ...more];
    const glue = list.flow ? ", " : `\n${" ".repeat(Math.max(0, spanOf(item).from - f.text.lastIndexOf("\n", spanOf(item).from) - 3))}- `;
    changes.push({ ...spanOf(item), with: now.map(write).join(glue) });
    notes.push(`${key}: ${pattern} → ${now.join(", ")}`);
  }
  return { changes, notes };
}

/** Returns a pattern for a renamed block: with the new group if only the group changed, otherwise the new name. */
function moved(pattern: string, old: string, now: string): string {
  const name = old.slice(old.lastIndexOf(".") + 1);
  const around = old.slice(0, old.length - name.length);
  if (now.slice(now.lastIndexOf(".") + 1) !== name || !pattern.startsWith(around)) return now;
  return now.slice(0, now.length - name.length) + pattern.slice(around.length);
}

/** Converts a recorder pattern to a regular expression: * is any text, ? any character, [] a set. */
function glob(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`, "su");
}
