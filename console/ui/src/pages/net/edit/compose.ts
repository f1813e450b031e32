// Builds the drawn net of an edited file, in the same form as a running net.
import type { BlockType, Port } from "../../../lib/wire";
import { isOutgoing, splitRef, type DrawnBlock, type DrawnNet } from "../graph";
import { flat, portOf } from "./flat";
import { allPorts } from "./list";
import { groupsOf, linksOf, resolve, type FileBlock, type FileGroup, type FilePort, type NetFile } from "./netfile";
import { covers, repeats } from "./range";

/** Information from outside the file. */
export interface Lookup {
  /** a block's type, with the ports it has for the block's parameters */
  typeOf: (b: FileBlock) => Pick<BlockType, "ports" | "params" | "operations"> | undefined;
  /** the file of an included group */
  fileOf: (g: FileGroup) => NetFile | undefined;
  /** a linked block that is defined in another file of the system */
  elsewhere?: (name: string) => { block: FileBlock; file: string } | undefined;
}

export function compose(f: NetFile, known: Lookup): DrawnNet {
  const { blocks, links } = flat(f);
  const from = new Map(links.map((l) => [portOf(l.to), l.from]));
  const only = f.threads.length === 1 ? (f.threads[0]?.name ?? "") : "";
  const named = portsInLinks(f);
  const withFrom = (name: string, ports: Port[]): Port[] =>
    inRanges(ports, named.get(name) ?? []).map((p) => {
      const source = isOutgoing(p) ? undefined : from.get(`${name}.${p.name}`);
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

/** Returns ports with one in the place of those that a range in a link stands for, as "position{1-40}", and "*" for links of whole blocks. */
function inRanges(ports: Port[], linked: Port[]): Port[] {
  let all = ports;
  for (const port of linked) {
    const { name } = port;
    const first = repeats(name) ? all.find((p) => covers(name, p.name)) : undefined;
    if (name === allPorts) all = all.includes(port) ? all : [...all, port];
    else if (first) all = all.flatMap((p) => (p === first ? [{ ...p, name }] : covers(name, p.name) ? [] : [p]));
  }
  return all;
}

function programPorts(program: { in: string[]; out: string[] }): Port[] {
  return [...program.in.map((name): Port => ({ name, kind: "input", type: "" })), ...program.out.map((name): Port => ({ name, kind: "output", type: "" }))];
}

/** Returns the ports that a group's file exposes, with their inner types. */
function groupPorts(f: NetFile, known: Lookup): Port[] {
  return f.ports.flatMap((p) => innerPort(f, p, known));
}

function innerPort(f: NetFile, p: FilePort, known: Lookup): Port[] {
  const { block, port } = splitRef(resolve(f, p.ref));
  const b = f.scopes.flatMap((s) => s.blocks).find((x) => x.name === block);
  const g = groupsOf(f).find((x) => x.name === block && !x.inner);
  const file = g && known.fileOf(g);
  const ports = b ? (known.typeOf(b)?.ports ?? (b.program && programPorts(b.program))) : file && groupPorts(file, known);
  const found = ports?.find((x) => x.name === port);
  return found ? [{ ...found, name: p.name }] : linksOf(f).some((l) => l.from.startsWith(p.ref)) ? [{ name: p.name, kind: "output", type: "" }] : [{ name: p.name, kind: "input", type: "" }];
}

/** Returns the ports named in links, by block: the only known ports of an unknown type. */
function portsInLinks(f: NetFile): Map<string, Port[]> {
  const all = new Map<string, Map<string, Port>>();
  for (const l of flat(f).links) {
    for (const [ref, kind] of [
      [l.from, "output"],
      [l.to, "input"],
    ] as const) {
      const { block, port } = splitRef(ref);
      const ports = all.get(block) ?? new Map<string, Port>();
      all.set(block, ports.set(port === allPorts ? `${kind} ${port}` : port, { name: port, kind, type: "" }));
    }
  }
  return new Map([...all].map(([block, ports]) => [block, [...ports.values()].sort((a, b) => Number(isOutgoing(a)) - Number(isOutgoing(b)))]));
}
