// Layered layout of one level of the net: columns by data flow from left to right, few crossings, links as straight as possible.
import { layers, reduceCrossings, reversedArcs, type Arc, type Item } from "./order";

export interface Box {
  width: number;
  height: number;
  /** -1: entry at the left border, 1: exit at the right border, 0: between them */
  pinned: -1 | 0 | 1;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  /** top left corner of each box */
  places: Point[];
  /** points of each arc between its ends, in its direction; two for each column it passes */
  bends: Point[][];
}

const leastGap = 74; // px between columns: room for a value on a link
const labelGap = 46; // additional px where a link from the column before has a label
const gapForEach = 3; // additional px for each passing edge
const mostGap = 170;
const spacing = 18; // px between boxes of a column
const lane = 9; // px between lines in a column
const passes = 10;

/** Lays out boxes and the arcs between them. */
export function layered(boxes: Box[], arcs: Arc[]): Layout {
  const back = reversedArcs(boxes.length, arcs);
  const forward = arcs.map((a, i) => (back[i] ? { from: a.to, to: a.from, fromY: a.toY, toY: a.fromY } : a));
  const layer = layers(boxes.length, forward, boxes.map((b) => b.pinned));
  const { rows, items, chains } = withBends(boxes, arcs, back, layer);
  reduceCrossings(rows);
  const { left, right, width } = columns(rows, boxes, new Set(arcs.flatMap((a) => (a.label && layer[a.to] === (layer[a.from] ?? 0) + 1 ? [layer[a.to]] : []))));
  const y = heights(rows);
  const top = Math.min(0, ...y.values());
  const at = (x: Item): number => (y.get(x) ?? 0) - top;

  const places = items.map((x, i) => {
    const b = boxes[i];
    const l = left[x.layer] ?? 0;
    const slack = (right[x.layer] ?? 0) - l - (b?.width ?? 0);
    return { x: b?.pinned === 1 ? l + slack : b?.pinned === -1 ? l : l + slack / 2, y: at(x) };
  });
  const bends = chains.map((chain, i) => {
    const points = chain.flatMap((x) => [
      { x: left[x.layer] ?? 0, y: at(x) },
      { x: right[x.layer] ?? 0, y: at(x) },
    ]);
    return back[i] ? points.reverse() : points;
  });
  const height = Math.max(0, ...rows.flat().map((x) => at(x) + x.height));
  return { width, height, places, bends };
}

/** Creates an item for each box, and for each column that an arc passes. An arc against the flow also passes the columns of its ends. */
function withBends(boxes: Box[], arcs: Arc[], back: boolean[], layer: number[]): { rows: Item[][]; items: Item[]; chains: Item[][] } {
  const rows: Item[][] = Array.from({ length: Math.max(0, ...layer) + 1 }, () => []);
  const items = boxes.map((b, node): Item => ({ node, layer: layer[node] ?? 0, height: b.height, left: [], right: [] }));
  for (const x of items) rows[x.layer]?.push(x);
  const join = (a: Item, b: Item, here: number, there: number): void => {
    a.right.push({ item: b, here, there });
    b.left.push({ item: a, here: there, there: here });
  };
  const chains = arcs.map((a, i) => {
    const [from, to] = back[i] ? [items[a.to], items[a.from]] : [items[a.from], items[a.to]];
    if (!from || !to) return [];
    const against = back[i] === true || a.from === a.to;
    const chain: Item[] = [];
    for (let l = from.layer + (against ? 0 : 1); l < to.layer + (against ? 1 : 0); l++) {
      const bend: Item = { node: -1, layer: l, height: 0, left: [], right: [] };
      const row = rows[l];
      const beside = against && l === from.layer ? from : against && l === to.layer ? to : undefined;
      if (beside && row) row.splice(row.indexOf(beside) + 1, 0, bend);
      else row?.push(bend);
      chain.push(bend);
    }
    const all = against ? chain : [from, ...chain, to];
    all.slice(1).forEach((x, k) => {
      const prior = all[k];
      if (prior) join(prior, x, prior === from ? a.fromY : 0, x === to ? a.toY : 0);
    });
    return chain;
  });
  return { rows, items, chains };
}

/** Returns the left and right edge of each column. labelled are the columns to which labels belong. */
function columns(rows: Item[][], boxes: Box[], labelled: ReadonlySet<number | undefined>): { left: number[]; right: number[]; width: number } {
  const left: number[] = [];
  const right: number[] = [];
  let x = 0;
  rows.forEach((row, i) => {
    const passing = row.reduce((sum, it) => sum + it.left.length, 0);
    if (i > 0) x += Math.min(mostGap, leastGap + gapForEach * passing) + (labelled.has(i) ? labelGap : 0);
    left.push(x);
    x += Math.max(0, ...row.map((it) => boxes[it.node]?.width ?? 0));
    right.push(x);
  });
  return { left, right, width: x };
}

/** Returns the top of each item: sweeps pull items towards their neighbours without overlaps. */
function heights(rows: Item[][]): Map<Item, number> {
  const y = new Map<Item, number>();
  for (const row of rows) {
    let at = 0;
    row.forEach((x, i) => {
      at += i > 0 ? gap(row[i - 1], x) : 0;
      y.set(x, at);
      at += x.height;
    });
  }
  for (let pass = 0; pass < passes; pass++) {
    const rightward = pass % 2 === 0;
    for (const row of rightward ? rows : [...rows].reverse()) settle(row, y, pass === passes - 1 ? "both" : rightward ? "left" : "right");
  }
  return y;
}

function gap(above: Item | undefined, below: Item): number {
  if (!above) return 0;
  if (above.node < 0 && below.node < 0) return lane;
  return above.height < 2 || below.height < 2 ? lane + 5 : spacing;
}

/** Moves the items of a column as close to their neighbours as order and distances allow (pool adjacent violators). */
function settle(row: Item[], y: Map<Item, number>, side: "left" | "right" | "both"): void {
  interface Pool {
    target: number;
    weight: number;
    items: number;
  }
  const offsets: number[] = [];
  const pools: Pool[] = [];
  let offset = 0;
  row.forEach((x, i) => {
    if (i > 0) offset += (row[i - 1]?.height ?? 0) + gap(row[i - 1], x);
    offsets.push(offset);
    const neighbours = side === "both" ? [...x.left, ...x.right] : x[side].length > 0 ? x[side] : [];
    const pull = (e: (typeof neighbours)[number]): number => (x.node < 0 && e.item.node < 0 ? 8 : x.node < 0 || e.item.node < 0 ? 2 : 1);
    const weight = neighbours.reduce((sum, e) => sum + pull(e), 0);
    const target = weight > 0 ? neighbours.reduce((sum, e) => sum + pull(e) * ((y.get(e.item) ?? 0) + e.there - e.here), 0) / weight : (y.get(x) ?? 0);
    pools.push({ target: target - offset, weight: weight > 0 ? weight : 0.05, items: 1 });
    for (let b = pools.pop(), a = pools.pop(); b; a = pools.pop()) {
      if (!a) {
        pools.push(b);
        break;
      }
      if (a.target <= b.target) {
        pools.push(a, b);
        break;
      }
      b = { target: (a.target * a.weight + b.target * b.weight) / (a.weight + b.weight), weight: a.weight + b.weight, items: a.items + b.items };
    }
  });
  let i = 0;
  for (const p of pools) {
    for (let k = 0; k < p.items; k++, i++) {
      const x = row[i];
      if (x) y.set(x, p.target + (offsets[i] ?? 0));
    }
  }
}
