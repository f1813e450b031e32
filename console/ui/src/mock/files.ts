// System files of the simulated systems.
import janusFile from "../../../../examples/janus/janus.yaml?raw";
import type { BlockType, FileError } from "../lib/wire";
import type { MockSystem } from "./system";

export function fileOf(s: MockSystem): string {
  if (s.name === "janus") return janusFile;
  const lines = [`system: ${s.name}`, "", "threads:"];
  for (const t of s.structure.threads) lines.push(`  ${t.name}: {${t.period_s > 0 ? `period: ${t.period_s * 1000}ms` : "triggered: true"}, priority: ${t.priority}}`);
  lines.push("", "blocks:");
  for (const b of s.structure.blocks) lines.push(`  ${b.name}: {type: ${b.type}, thread: ${b.thread}}`);
  lines.push("", "links:");
  for (const l of s.structure.links) lines.push(`  - ${l.from} -> ${l.to}`);
  return lines.join("\n") + "\n";
}

/** The roughest check of a file: block types that nobody knows. */
export function check(text: string, types: BlockType[]): FileError[] {
  const known = new Set(types.map((t) => t.type));
  return text.split("\n").flatMap((line, i) => {
    const m = /\btype: ([\w.]+)/.exec(line);
    return m?.[1] && !known.has(m[1]) ? [{ line: i + 1, column: m.index + 7, text: `no block type ${m[1]} is registered` }] : [];
  });
}
