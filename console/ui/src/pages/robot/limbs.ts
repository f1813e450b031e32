// The joints of a robot by limb: the kinematic tree of its movable joints, split where it branches.

/** A movable joint and the movable joint that carries it; null at the base. */
export interface TreeJoint {
  name: string;
  parent: string | null;
}

export interface Limb {
  name: string;
  joints: string[];
}

/**
 * Returns the limbs in the order of the joints. A limb is a chain of joints without a branch. Single joints that end at the same branch, such as
 * wheels, are one limb. A limb is named by what the names of its joints begin with, or else end with, in common.
 */
export function limbsOf(joints: readonly TreeJoint[]): Limb[] {
  const children = new Map<string | null, string[]>();
  for (const j of joints) children.set(j.parent, [...(children.get(j.parent) ?? []), j.name]);
  const chains: string[][] = [];
  const walk = (first: string): void => {
    const chain = [first];
    let next = children.get(first) ?? [];
    for (; next.length === 1 && next[0] !== undefined; next = children.get(next[0]) ?? []) chain.push(next[0]);
    chains.push(chain);
    split(next);
  };
  const split = (starts: readonly string[]): void => {
    const ends = starts.filter((s) => (children.get(s) ?? []).length === 0);
    if (ends.length > 1) chains.push([...ends]);
    for (const s of starts) if (ends.length <= 1 || !ends.includes(s)) walk(s);
  };
  split(children.get(null) ?? []);
  const order = new Map(joints.map((j, i) => [j.name, i]));
  const at = (name: string | undefined): number => order.get(name ?? "") ?? 0;
  const limbs = chains.sort((a, b) => at(a[0]) - at(b[0])).map((chain) => ({ name: nameOf(chain), joints: chain }));
  const twice = (name: string): boolean => limbs.filter((l) => l.name === name).length > 1;
  return limbs.map((l) => (twice(l.name) ? { ...l, name: `${l.name}: ${l.joints[0] ?? ""}` } : l));
}

/** Names a limb. Its first joint can be named after what carries it, and then does not count. */
function nameOf(joints: readonly string[]): string {
  const [all, rest] = [common(joints), joints.length > 2 ? common(joints.slice(1)) : ""];
  return rest.startsWith(all + " ") && !rest.includes("…") ? rest : all;
}

/** Returns what names have in common: whole words at their beginning, or else at their end, without numbers; or the first and last name. */
function common(names: readonly string[]): string {
  const [first = "", last = ""] = [names[0], names.at(-1)];
  if (names.length === 1) return first;
  const words = names.map(wordsOf);
  const start = shared(words);
  if (start.length > 0) return start.join(" ");
  const end = shared(words.map((w) => [...w].reverse())).reverse();
  return end.length > 0 ? end.join(" ") : `${first} … ${last}`;
}

/** Returns the words of a name, without numbers and the word joint: left_arm1 is left, arm. */
function wordsOf(name: string): string[] {
  const parts = name.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[^A-Za-z]+/);
  return parts.filter((p) => p !== "" && !/^joints?$/i.test(p));
}

function shared(lists: readonly string[][]): string[] {
  const first = lists[0] ?? [];
  const at = first.findIndex((w, i) => lists.some((l) => l[i] !== w));
  return at < 0 ? first : first.slice(0, at);
}
