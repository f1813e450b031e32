// The two plots of the cockpit, chosen by what the system file and the blocks mark for operators.
import type { Robot } from "../../lib/robots";
import type { Port, Structure } from "../../lib/wire";
import { isScalar } from "../scope/signals";

/** Signals that share a plot. A port of many numbers stands for the first of them. */
export interface Trace {
  title: string;
  signals: string[];
}

const plots = 2;
const most = 4; // signals of one plot

/**
 * Returns at most two plots. They come from the key "watch" of the system file, port by port; then from ports tagged watch, single
 * numbers first; then from desired and measured positions of the robot's joints; then from any output.
 */
export function chooseTraces(structure: Structure, robot: Robot | null): Trace[] {
  const all = [...listed(structure), ...tagged(structure), ...joints(robot), ...outputs(structure)];
  const chosen: Trace[] = [];
  const used = new Set<string>();
  for (const t of all) {
    if (chosen.length === plots) break;
    if (t.signals.some((s) => used.has(s))) continue;
    for (const s of t.signals) used.add(s);
    chosen.push(t);
  }
  return chosen;
}

/** Signals of the key "watch", those of a port together. */
function listed(structure: Structure): Trace[] {
  const byPort = new Map<string, string[]>();
  const ports = new Set(structure.blocks.flatMap((b) => (b.ports ?? []).map((p) => `${b.name}.${p.name}`)));
  for (const name of structure.watch ?? []) {
    const ref = ports.has(name) ? name : name.replace(/\[.*$/, "");
    byPort.set(ref, [...(byPort.get(ref) ?? []), name].slice(0, most));
  }
  return [...byPort].map(([title, signals]) => ({ title, signals }));
}

/** Ports that the authors of blocks have tagged watch. */
function tagged(structure: Structure): Trace[] {
  return byKind(structure, (p) => p.watch === true);
}

/** Measured and desired position of each joint. */
function joints(robot: Robot | null): Trace[] {
  if (robot === null) return [];
  const at = (refs: readonly string[], i: number): string[] => {
    if (refs.length === robot.joints.length) return [refs.length === 1 ? `${refs[0] ?? ""}[0]` : (refs[i] ?? "")];
    return refs.length === 1 ? [`${refs[0] ?? ""}[${i}]`] : [];
  };
  return robot.joints.map((title, i) => ({ title, signals: [...at(robot.position, i), ...at(robot.desired, i)] })).filter((t) => t.signals.length > 0);
}

function outputs(structure: Structure): Trace[] {
  return byKind(structure, (p) => p.kind === "output");
}

/** Ports as plots of their own: numbers, then vectors of numbers, then booleans. */
function byKind(structure: Structure, wanted: (p: Port) => boolean): Trace[] {
  const found = structure.blocks.flatMap((b) => (b.ports ?? []).filter((p) => wanted(p) && p.name !== "enable").map((p) => ({ ref: `${b.name}.${p.name}`, type: p.type })));
  const rank = (type: string): number => (type === "bool" ? 2 : isScalar(type) ? 0 : /^(u?int\d*|float\d+)\[/.test(type) ? 1 : 3);
  return found
    .filter((f) => rank(f.type) < 3)
    .sort((a, b) => rank(a.type) - rank(b.type))
    .map((f) => ({ title: f.ref, signals: [f.ref] }));
}

/** Returns the signals of a plot once the lengths of its vectors are known: the first numbers of each. */
export function expand(trace: Trace, length: (ref: string) => number | null): string[] {
  return trace.signals.flatMap((s) => {
    const n = length(s);
    return n === null ? [s] : Array.from({ length: Math.min(n, most) }, (_, i) => `${s}[${i}]`);
  });
}
