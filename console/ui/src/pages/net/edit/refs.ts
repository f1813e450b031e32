// What a system file says of blocks by their full names, and how it follows when these change: parameters that name a block, patterns of what is
// recorded, programs that are deployed, links that reach into a group.
import { isMap, isScalar, isSeq, type Scalar, type YAMLMap } from "yaml";
import { splitRef } from "../graph";
import { blocksOf, mapIn, pairOf, spanOf, within, type NetFile, type Scope } from "./netfile";
import { inYAML, replace, type Change } from "./text";

/** New full names by old ones: of blocks, and of groups for all that is in them. */
export type Renamed = Map<string, string>;

/** The new name of a block, or of what lies in a group that was renamed. */
export function renamedOf(names: Renamed, name: string): string {
  const whole = names.get(name);
  if (whole !== undefined) return whole;
  for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1)) {
    const group = names.get(name.slice(0, at));
    if (group !== undefined) return group + name.slice(at);
  }
  return name;
}

/** A reference "block.port[elements]" to another block. */
export function withBlock(ref: string, block: string): string {
  const { port, elements } = splitRef(ref);
  return `${block}.${port}${elements}`;
}

/** Links and ports of some scopes, with the names that blocks have now. */
export function renameEnds(f: NetFile, names: Renamed, of: (s: Scope) => boolean = () => true): Change[] {
  return f.scopes.filter(of).flatMap((s) => mapEnds(s, (ref) => {
    const { block } = splitRef(ref);
    const now = renamedOf(names, within(s, block));
    if (now === within(s, block) || (s.path !== "" && !now.startsWith(s.path + "."))) return ref;
    return withBlock(ref, s.path === "" ? now : now.slice(s.path.length + 1));
  }));
}

/** Each end of the links of a scope, and each port's, made another. */
export function mapEnds(s: Scope, map: (ref: string) => string): Change[] {
  const links = s.links.map((l) => ({ ...l.span, old: `${l.from} -> ${l.to}`, now: `${map(l.from)} -> ${map(l.to)}`, quote: l.quote }));
  const ports = s.ports.map((p) => ({ ...spanOf(p.pair.value), old: p.ref, now: map(p.ref), quote: p.ref.includes("[") ? '"' : "" }));
  return [...links, ...ports].filter((c) => c.old !== c.now).map((c) => ({ from: c.from, to: c.to, with: c.quote + c.now + c.quote }));
}

/** A part of a file that names blocks of the whole system, and what follows when they are renamed. */
export interface Following {
  text: string;
  /** what was changed, for people: "joint1.peer_name: aic01 → arm.aic01" */
  told: string[];
}

/** Lets all that names blocks by their full names follow, but links. before is the file as it was when blocks had their old names. */
export function follow(f: NetFile, before: NetFile, names: Renamed): Following {
  const told: string[] = [];
  const changes: Change[] = [];
  const { prefix } = before;
  if (prefix === undefined) return { text: f.text, told };
  const rename = (what: string, s: Scalar): void => {
    const old = String(s.value);
    if (!old.startsWith(prefix)) return;
    const now = prefix + renamedOf(names, old.slice(prefix.length));
    if (now === old) return;
    changes.push({ ...spanOf(s), with: inYAML(now) });
    told.push(`${what}: ${old} → ${now}`);
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
  const record = recorded(f, before, names, mapIn(f.map, "record"));
  return { text: replace(f.text, [...changes, ...record.changes]), told: [...told, ...record.told] };
}

/** The patterns of what is recorded; one that matched what has another name now gets a second one, or gives way to it. */
function recorded(f: NetFile, before: NetFile, names: Renamed, record: YAMLMap | undefined): { changes: Change[]; told: string[] } {
  const list = pairOf(record, "ports")?.value;
  const changes: Change[] = [];
  const told: string[] = [];
  if (!isSeq(list)) return { changes, told };
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
    const write = (p: string): string => (quote ? quote + p + quote : inYAML(p));
    const now = [...(stays ? [pattern] : []), ...more];
    const glue = list.flow ? ", " : `\n${" ".repeat(Math.max(0, spanOf(item).from - f.text.lastIndexOf("\n", spanOf(item).from) - 3))}- `;
    changes.push({ ...spanOf(item), with: now.map(write).join(glue) });
    told.push(`record: ${pattern} → ${now.join(", ")}`);
  }
  return { changes, told };
}

/** A pattern for a block that has another name now: with the group before it where only that has changed, else the name itself. */
function moved(pattern: string, old: string, now: string): string {
  const name = old.slice(old.lastIndexOf(".") + 1);
  const around = old.slice(0, old.length - name.length);
  if (now.slice(now.lastIndexOf(".") + 1) !== name || !pattern.startsWith(around)) return now;
  return now.slice(0, now.length - name.length) + pattern.slice(around.length);
}

/** Patterns as the recorder takes them: * is any text, ? any letter, [] one of some. */
function glob(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`, "su");
}
