// The net that a file means, in the form in which a running one is drawn.
import type { BlockType, Port } from "../../../lib/wire";
import { isOutgoing, splitRef, type DrawnBlock, type DrawnNet } from "../graph";
import { flat, portOf } from "./flat";
import { groupsOf, linksOf, resolve, type FileBlock, type FileGroup, type FilePort, type NetFile } from "./netfile";

/** What the editor knows beside the file. */
export interface Knowledge {
  /** a type as it is under the parameters of a block */
  typeOf: (b: FileBlock) => Pick<BlockType, "ports" | "params" | "operations"> | undefined;
  /** the file of a group that is not written in this one */
  fileOf: (g: FileGroup) => NetFile | undefined;
  /** a block that the file links and does not have: it is in another file of the system */
  elsewhere?: (name: string) => { block: FileBlock; file: string } | undefined;
}

export function compose(f: NetFile, known: Knowledge): DrawnNet {
  const { blocks, links } = flat(f);
  const from = new Map(links.map((l) => [portOf(l.to), l.from]));
  const only = f.threads.length === 1 ? (f.threads[0]?.name ?? "") : "";
  const named = portsInLinks(f);
  const withFrom = (name: string, ports: Port[]): Port[] =>
    ports.map((p) => {
      const source = from.get(`${name}.${p.name}`);
      return source === undefined ? p : { ...p, from: source };
    });
  const single = blocks.map((b): DrawnBlock => {
    const t = known.typeOf(b);
    const ports = b.program ? programPorts(b.program) : (t?.ports ?? named.get(b.name) ?? []);
    return { name: b.name, type: b.program ? "program" : b.type, thread: b.thread || only, ports: withFrom(b.name, ports), params: t?.params ?? [], operations: t?.operations ?? [] };
  });
  const included = groupsOf(f).filter((g) => !g.inner).map((g): DrawnBlock => {
    const inner = known.fileOf(g);
    const ports = inner ? groupPorts(inner, known) : (named.get(g.name) ?? []);
    return { name: g.name, type: g.include, file: g.include, thread: "", ports: withFrom(g.name, ports), params: [], operations: [] };
  });
  const here = new Set([...single, ...included].map((b) => b.name));
  const others = [...named.keys()].filter((n) => !here.has(n)).flatMap((name): DrawnBlock[] => {
    const found = known.elsewhere?.(name);
    if (!found) return [];
    const ports = known.typeOf(found.block)?.ports ?? named.get(name) ?? [];
    return [{ name, type: `${found.block.type} in ${found.file}`, file: found.file, thread: found.block.thread, ports: withFrom(name, ports), params: [], operations: [] }];
  });
  return {
    system: "",
    file: "",
    pid: 0,
    processes: [],
    threads: f.threads.map((t) => ({ name: t.name, period_s: 0, priority: 0 })),
    blocks: [...included, ...single, ...others],
    links: links.map((l) => ({ from: l.from, to: l.to, delay: l.link.delay, every: l.link.every > 1 ? l.link.every : 0 })),
    groups: groupsOf(f).filter((g) => g.inner).map((g) => ({ name: g.name, file: "" })),
  };
}

function programPorts(program: { in: string[]; out: string[] }): Port[] {
  return [...program.in.map((name): Port => ({ name, kind: "input", type: "" })), ...program.out.map((name): Port => ({ name, kind: "output", type: "" }))];
}

/** The ports that the file of a group shows, as they are within. */
function groupPorts(f: NetFile, known: Knowledge): Port[] {
  return f.ports.flatMap((p) => portBehind(f, p, known));
}

function portBehind(f: NetFile, p: FilePort, known: Knowledge): Port[] {
  const { block, port } = splitRef(resolve(f, p.ref));
  const b = f.scopes.flatMap((s) => s.blocks).find((x) => x.name === block);
  const g = groupsOf(f).find((x) => x.name === block && !x.inner);
  const file = g && known.fileOf(g);
  const ports = b ? (known.typeOf(b)?.ports ?? (b.program && programPorts(b.program))) : file && groupPorts(file, known);
  const found = ports?.find((x) => x.name === port);
  return found ? [{ ...found, name: p.name }] : linksOf(f).some((l) => l.from.startsWith(p.ref)) ? [{ name: p.name, kind: "output", type: "" }] : [{ name: p.name, kind: "input", type: "" }];
}

/** The ports that links name, by block: all that is known where there is no type. */
function portsInLinks(f: NetFile): Map<string, Port[]> {
  const all = new Map<string, Map<string, Port>>();
  for (const l of flat(f).links) {
    for (const [ref, kind] of [
      [l.from, "output"],
      [l.to, "input"],
    ] as const) {
      const { block, port } = splitRef(ref);
      const ports = all.get(block) ?? new Map<string, Port>();
      all.set(block, ports.set(port, { name: port, kind, type: "" }));
    }
  }
  return new Map([...all].map(([block, ports]) => [block, [...ports.values()].sort((a, b) => Number(isOutgoing(a)) - Number(isOutgoing(b)))]));
}
