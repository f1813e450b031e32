// System files of the simulated systems.
import janusFile from "../../../../examples/janus/janus.yaml?raw";
import body from "../../../../examples/walker/body.yaml?raw";
import leg from "../../../../examples/walker/leg.yaml?raw";
import legs from "../../../../examples/walker/legs.yaml?raw";
import walker from "../../../../examples/walker/walker.yaml?raw";
import type { FileError } from "../lib/findings";
import type { BlockType, NetFileInfo } from "../lib/wire";
import type { MockSystem } from "./system";

export interface MockFile extends NetFileInfo {
  text: string;
}

const first = { kind: "system", groups: [] } as const satisfies Partial<MockFile>;

/** Returns the files of a system, the main file first. */
export function filesOf(s: MockSystem): MockFile[] {
  const { file } = s.structure;
  if (s.name === "janus") return [{ file, name: "janus.yaml", text: janusFile, ...first }];
  if (s.name !== "walker") return [{ file, name: `${s.name}.yaml`, text: generate(s), ...first }];
  const beside = (name: string): string => file.slice(0, file.lastIndexOf("/") + 1) + name;
  const sides = ["left_front", "left_middle", "left_rear", "right_front", "right_middle", "right_rear"];
  return [
    { file, name: "walker.yaml", text: walker, ...first },
    { file: beside("legs.yaml"), name: "legs.yaml", text: legs, kind: "group", groups: ["legs"] },
    { file: beside("leg.yaml"), name: "leg.yaml", text: leg, kind: "group", groups: sides.map((x) => `legs.${x}`) },
    { file: beside("body.yaml"), name: "body.yaml", text: body, kind: "group", groups: ["body"] },
  ];
}

/** Generates the system file of a simulated system. */
function generate(s: MockSystem): string {
  const lines = [`system: ${s.name}`, "", "threads:"];
  for (const t of s.structure.threads) lines.push(`  ${t.name}: {${t.period_s > 0 ? `period: ${t.period_s * 1000}ms` : "triggered: true"}, priority: ${t.priority}}`);
  lines.push("");
  const groups = new Set(s.structure.blocks.flatMap((b) => b.name.split(".").slice(0, -1).map((_, i, all) => all.slice(0, i + 1).join("."))));
  const put = (scope: string, indent: string): void => {
    const inside = (name: string): boolean => name.slice(0, Math.max(0, name.lastIndexOf("."))) === scope;
    const short = (name: string): string => name.slice(scope === "" ? 0 : scope.length + 1);
    const blocks = s.structure.blocks.filter((b) => inside(b.name));
    if (blocks.length > 0) lines.push(`${indent}blocks:`);
    for (const b of blocks) lines.push(`${indent}  ${short(b.name)}: {type: ${b.type}, thread: ${b.thread}}`);
    const within = [...groups].filter(inside);
    if (within.length > 0) lines.push(`${indent}groups:`);
    for (const g of within) {
      lines.push(`${indent}  ${short(g)}:`);
      put(g, indent + "    ");
    }
  };
  put("", "");
  lines.push("", "links:");
  for (const l of s.structure.links) lines.push(`  - ${l.from} -> ${l.to}`);
  return lines.join("\n") + "\n";
}

/** Checks a file for unknown block types only. */
export function check(text: string, types: BlockType[]): FileError[] {
  const known = new Set(types.map((t) => t.type));
  return text.split("\n").flatMap((line, i) => {
    const m = /\btype: ([\w.]+)/.exec(line);
    return m?.[1] && !known.has(m[1]) ? [{ line: i + 1, column: m.index + 7, text: `no block type ${m[1]} is registered` }] : [];
  });
}
