// Elements of a list in brackets behind a port's name, as in links: "joint.position[2]", "[0:3]" for 0, 1, 2, and "[2,0]".

const most = 4096; // elements of a selection

/** Splits "block.port[0:3]" into the port and its elements; null: the whole port. Brackets that select nothing are part of the name. */
export function splitElements(ref: string): { port: string; elements: number[] | null } {
  const [, port = ref, list = ""] = /^(.*)\[([^[\]]*)\]$/s.exec(ref) ?? [];
  const elements: number[] = [];
  for (const word of list.split(",")) {
    const [, low = "", high] = /^\s*(\d+)(?::(\d+))?\s*$/.exec(word) ?? [];
    const [from, to] = [Number(low), high === undefined ? Number(low) + 1 : Number(high)];
    if (low === "" || to <= from || to - from > most - elements.length) return { port: ref, elements: null };
    for (let i = from; i < to; i++) elements.push(i);
  }
  return { port, elements };
}

/** Returns a port with elements behind it, as splitElements reads it. */
export function joinElements(port: string, elements: readonly number[] | null): string {
  if (elements === null) return port;
  const runs: [from: number, to: number][] = [];
  for (const i of elements) {
    const run = runs.at(-1);
    if (run?.[1] === i) run[1] = i + 1;
    else runs.push([i, i + 1]);
  }
  return `${port}[${runs.map(([from, to]) => (to - from > 1 ? `${from}:${to}` : from)).join(",")}]`;
}
