// The first half of a layered layout (Sugiyama, Tagawa, Toda 1981): the layer of each node, and the order in each layer.

/** A node of the layout, or a bend of an edge that passes a layer. */
export interface Item {
  /** index in the caller's list; -1 for a bend */
  node: number;
  layer: number;
  height: number;
  /** neighbours with the edge's height at both ends, from the top of each item */
  left: Neighbour[];
  right: Neighbour[];
}

export interface Neighbour {
  item: Item;
  here: number;
  there: number;
}

export interface Arc {
  from: number;
  to: number;
  /** heights of the ends, from the tops of the nodes */
  fromY: number;
  toY: number;
  /** whether a label is drawn at its end */
  label?: boolean;
}

/** Returns which arcs must be reversed to remove all loops (Eades, Lin, Smyth 1993), in linear time. */
export function reversedArcs(n: number, arcs: Arc[]): boolean[] {
  const outs: number[][] = Array.from({ length: n }, () => []);
  const ins: number[][] = Array.from({ length: n }, () => []);
  const outdegree = new Array<number>(n).fill(0);
  const indegree = new Array<number>(n).fill(0);
  arcs.forEach((a) => {
    if (a.from === a.to) return;
    outs[a.from]?.push(a.to);
    ins[a.to]?.push(a.from);
    outdegree[a.from] = (outdegree[a.from] ?? 0) + 1;
    indegree[a.to] = (indegree[a.to] ?? 0) + 1;
  });
  const left = new Set(Array.from({ length: n }, (_, i) => i));
  const head: number[] = [];
  const tail: number[] = [];
  const remove = (v: number): void => {
    left.delete(v);
    for (const w of outs[v] ?? []) indegree[w] = (indegree[w] ?? 0) - 1;
    for (const w of ins[v] ?? []) outdegree[w] = (outdegree[w] ?? 0) - 1;
  };
  while (left.size > 0) {
    let best = -1;
    let bestDelta = -Infinity;
    let found = false;
    for (const v of left) {
      if (outdegree[v] === 0 || indegree[v] === 0) {
        (indegree[v] === 0 ? head : tail).push(v);
        remove(v);
        found = true;
        continue;
      }
      const delta = (outdegree[v] ?? 0) - (indegree[v] ?? 0);
      if (delta > bestDelta) [best, bestDelta] = [v, delta];
    }
    if (!found && best >= 0) {
      head.push(best);
      remove(best);
    }
  }
  const place = new Array<number>(n).fill(0);
  [...head, ...tail.reverse()].forEach((v, i) => (place[v] = i));
  return arcs.map((a) => (place[a.from] ?? 0) > (place[a.to] ?? 0));
}

/** Returns the layer of each node: right of all its sources, close to its targets. Arcs have no loops. pinned: -1 first, 1 last, 0 free. */
export function layers(n: number, arcs: Arc[], pinned: number[]): number[] {
  const outs: number[][] = Array.from({ length: n }, () => []);
  const ins: number[][] = Array.from({ length: n }, () => []);
  for (const a of arcs) {
    if (a.from === a.to) continue;
    outs[a.from]?.push(a.to);
    ins[a.to]?.push(a.from);
  }
  const layer = new Array<number>(n).fill(0);
  const order = topological(n, outs, ins);
  const offset = pinned.some((p) => p < 0) ? 1 : 0;
  for (const v of order) {
    layer[v] = (pinned[v] ?? 0) < 0 ? 0 : Math.max(offset, ...(ins[v] ?? []).map((w) => (layer[w] ?? 0) + 1));
  }
  // A node with more links to the right than to the left moves right, next to its first target.
  for (const v of [...order].reverse()) {
    const targets = (outs[v] ?? []).filter((w) => (pinned[w] ?? 0) <= 0);
    if (pinned[v] === 0 && targets.length > 0 && (outs[v] ?? []).length > (ins[v] ?? []).filter((w) => pinned[w] === 0).length) {
      layer[v] = Math.max(layer[v] ?? 0, Math.min(...targets.map((w) => layer[w] ?? 0)) - 1);
    }
  }
  const last = Math.max(0, ...layer.filter((_, v) => (pinned[v] ?? 0) <= 0)) + 1;
  pinned.forEach((p, v) => {
    if (p > 0) layer[v] = last;
  });
  return layer;
}

function topological(n: number, outs: number[][], ins: number[][]): number[] {
  const waiting = ins.map((l) => l.length);
  const order: number[] = [];
  for (let v = 0; v < n; v++) if (waiting[v] === 0) order.push(v);
  for (const v of order) {
    for (const w of outs[v] ?? []) {
      waiting[w] = (waiting[w] ?? 0) - 1;
      if (waiting[w] === 0) order.push(w);
    }
  }
  return order;
}

const sweeps = 14;

/** Orders each layer to reduce crossings: sweeps sort by the mean of the neighbours, and the best order is kept. */
export function reduceCrossings(rows: Item[][]): void {
  let best = crossings(rows);
  let kept = rows.map((r) => [...r]);
  for (let i = 0; i < sweeps && best > 0; i++) {
    const rightward = i % 2 === 0;
    const order = rightward ? rows : [...rows].reverse();
    for (const row of order) sortByNeighbours(row, rows, rightward ? "left" : "right");
    const now = crossings(rows);
    if (now < best) {
      best = now;
      kept = rows.map((r) => [...r]);
    }
  }
  rows.forEach((r, i) => r.splice(0, r.length, ...(kept[i] ?? [])));
}

function sortByNeighbours(row: Item[], rows: Item[][], side: "left" | "right"): void {
  const next = rows[(row[0]?.layer ?? 0) + (side === "left" ? -1 : 1)];
  if (!next) return;
  const place = new Map<Item, number>();
  let y = 0;
  for (const x of next) {
    place.set(x, y);
    y += x.height + 1;
  }
  const key = new Map<Item, number>();
  row.forEach((x, i) => {
    const n = x[side];
    // without neighbours an item keeps its position approximately
    key.set(x, n.length > 0 ? n.reduce((sum, e) => sum + (place.get(e.item) ?? 0) + e.there - e.here, 0) / n.length : ((y * i) / Math.max(1, row.length)));
  });
  row.sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
}

/** Counts the crossings between neighbouring layers with a tree of sums (Barth, Jünger, Mutzel 2002). */
export function crossings(rows: Item[][]): number {
  let total = 0;
  for (const row of rows) {
    const next = rows[(row[0]?.layer ?? 0) + 1];
    if (!next) continue;
    const place = new Map(next.map((x, i) => [x, i]));
    const ends: number[] = [];
    for (const x of row) {
      const sorted = [...x.right].sort((a, b) => a.here - b.here);
      ends.push(...sorted.map((e) => (place.get(e.item) ?? 0) * 4096 + Math.min(4095, Math.max(0, Math.round(e.there)))));
    }
    total += inversions(ends);
  }
  return total;
}

function inversions(list: number[]): number {
  const ranks = new Map([...new Set(list)].sort((a, b) => a - b).map((v, i) => [v, i + 1]));
  const tree = new Array<number>(ranks.size + 1).fill(0);
  let count = 0;
  list.forEach((v, seen) => {
    const rank = ranks.get(v) ?? 1;
    let before = 0;
    for (let i = rank; i > 0; i -= i & -i) before += tree[i] ?? 0;
    count += seen - before;
    for (let i = rank; i < tree.length; i += i & -i) tree[i] = (tree[i] ?? 0) + 1;
  });
  return count;
}
