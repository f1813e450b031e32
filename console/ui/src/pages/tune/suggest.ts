// The signals that a comparison suggests, and what the user chose instead.
import type { Robot } from "../../lib/robots";
import type { Structure } from "../../lib/wire";
import { chooseTraces } from "../cockpit/traces";

/** A signal with its reference; "" if it has none, as an error has. */
export interface Pair {
  signal: string;
  reference: string;
}

/**
 * Returns the measured and desired position of the robot's joint whose number the block's name ends with, or else its first joint;
 * without such ports a signal that the key or the tag `watch` names. Null if nothing is marked.
 */
export function suggest(structure: Structure, robots: readonly Robot[], block: string): Pair | null {
  const number = Number(/(\d+)$/.exec(block)?.[1] ?? 1);
  for (const robot of robots) {
    const joint = robot.joints.length >= number ? number - 1 : 0;
    const port = (refs: readonly string[]): string | undefined => (refs.length === robot.joints.length && refs.length > 1 ? refs[joint] : refs.length === 1 ? `${refs[0] ?? ""}[${joint}]` : undefined);
    const [signal, reference] = [port(robot.position), port(robot.desired)];
    if (signal !== undefined && reference !== undefined) return { signal, reference };
  }
  const marked = structure.blocks.some((b) => (b.ports ?? []).some((p) => p.watch)) || (structure.watch ?? []).length > 0;
  const signal = marked ? chooseTraces(structure, null)[0]?.signals[0] : undefined;
  return signal === undefined ? null : { signal, reference: "" };
}

/** Returns the names of all signals that can be chosen: ports of numbers, and the first elements of lists. */
export function choices(structure: Structure | null): string[] {
  const elements = 4;
  return (structure?.blocks ?? []).flatMap((b) =>
    (b.ports ?? []).flatMap((p) => {
      const ref = `${b.name}.${p.name}`;
      if (p.kind !== "input" && p.kind !== "output") return [];
      if (/^(u?int|float)\d*$/.test(p.type)) return [ref];
      return /^(u?int|float)\d*\[/.test(p.type) ? Array.from({ length: elements }, (_, i) => `${ref}[${i}]`) : [];
    }),
  );
}

const key = (system: string): string => `sinew.tune.${system}`;

/** Returns what the user chose for a block; null if nothing. */
export function chosen(system: string, block: string): Pair | null {
  try {
    const all = JSON.parse(localStorage.getItem(key(system)) ?? "{}") as Record<string, Pair>;
    return all[block] ?? null;
  } catch {
    return null;
  }
}

/** Stores what the user chose for a block. */
export function choose(system: string, block: string, pair: Pair): void {
  let all: Record<string, Pair> = {};
  try {
    all = JSON.parse(localStorage.getItem(key(system)) ?? "{}") as Record<string, Pair>;
  } catch {
    // what is stored is invalid: it is replaced
  }
  localStorage.setItem(key(system), JSON.stringify({ ...all, [block]: pair }));
}
