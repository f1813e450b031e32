import { describe, expect, test } from "vitest";
import type { Structure } from "../../lib/wire";
import { groupsOf, splitRef, visible } from "./graph";
import { layout, type Rect } from "./layout";
import { crossings, layers, reversedArcs, type Item } from "./order";
import { apart, nets, walker } from "./testnets";

describe.each(nets)("%s, all groups open", (_, s) => {
  const graph = visible(s, new Set(groupsOf(s)));
  const drawing = layout(graph);

  test("draws every block and every link", () => {
    for (const b of s.blocks) expect(drawing.rects.has(b.name)).toBe(true);
    expect(drawing.routes.flatMap((r) => r.edge.links)).toHaveLength(s.links.length);
  });

  test("siblings do not overlap and stay inside their group", () => {
    const check = (nodes: typeof graph.roots, around?: Rect): void => {
      const rects = nodes.map((n) => drawing.rects.get(n.id) as Rect);
      rects.forEach((a, i) => {
        rects.slice(i + 1).forEach((b) => expect(apart(a, b)).toBe(true));
        if (around) expect(a.x >= around.x && a.y >= around.y && a.x + a.width <= around.x + around.width && a.y + a.height <= around.y + around.height + 0.5).toBe(true);
      });
      for (const n of nodes) if (n.open) check(n.children, drawing.rects.get(n.id));
    };
    check(graph.roots);
  });

  test("links start and end at their boxes", () => {
    for (const { edge, points } of drawing.routes) {
      const from = drawing.rects.get(edge.from.id) as Rect;
      const to = drawing.rects.get(edge.to.id) as Rect;
      expect(points[0]?.x).toBe(from.x + from.width);
      expect(points.at(-1)?.x).toBe(to.x);
      expect(points.every((p) => Number.isFinite(p.x) && Number.isFinite(p.y))).toBe(true);
    }
  });
});

test("a closed group combines its links", () => {
  const s = walker;
  const g = visible(s, new Set());
  expect([...g.nodes.keys()]).toEqual(["robot", "legs", "body"]);
  const between = g.edges.find((e) => e.from.id === "legs" && e.to.id === "body");
  expect(between?.links.length).toBe(24);
});

test("reversed arcs remove all loops, and layers follow the data flow", () => {
  const arcs = [
    [0, 1],
    [1, 2],
    [2, 0],
    [2, 3],
  ].map(([from = 0, to = 0]) => ({ from, to, fromY: 0, toY: 0 }));
  const back = reversedArcs(4, arcs);
  expect(back.filter(Boolean)).toHaveLength(1);
  const forward = arcs.map((a, i) => (back[i] ? { ...a, from: a.to, to: a.from } : a));
  const layer = layers(4, forward, [0, 0, 0, 0]);
  for (const a of forward) expect(layer[a.from] ?? 0).toBeLessThan(layer[a.to] ?? 0);
});

test("crossings counts crossing edges", () => {
  const item = (layer: number, node: number): Item => ({ node, layer, height: 10, left: [], right: [] });
  const [a, b, c, d] = [item(0, 0), item(0, 1), item(1, 2), item(1, 3)];
  a.right.push({ item: d, here: 0, there: 0 });
  b.right.push({ item: c, here: 0, there: 0 });
  expect(crossings([[a, b], [c, d]])).toBe(1);
  expect(crossings([[a, b], [d, c]])).toBe(0);
});

test("lays out a block with 500 ports and unusual names", () => {
  const ports = Array.from({ length: 500 }, (_, i) => ({ name: `port ${i}`, kind: "output" as const, type: "float64" }));
  const s: Structure = {
    system: "odd",
    file: "",
    pid: 0,
    processes: [],
    threads: [],
    blocks: [
      { name: "my block 🦾", type: "t", thread: "", ports, params: null, operations: null },
      { name: "b", type: "t", thread: "", ports: [{ name: "in", kind: "input", type: "float64" }], params: null, operations: null },
    ],
    links: ports.map((p) => ({ from: `my block 🦾.${p.name}`, to: "b.in" })),
  };
  const g = visible(s, new Set());
  expect(g.nodes.get("my block 🦾")?.outputs.at(-1)?.label).toBe("468 more");
  expect(g.edges.flatMap((e) => e.links)).toHaveLength(500);
  expect(layout(g).rects.size).toBe(2);
});

test("splitRef splits at the last dot", () => {
  expect(splitRef("a.b.c[0,2]")).toEqual({ block: "a.b", port: "c", elements: "[0,2]" });
  expect(splitRef("my block 🦾.out")).toEqual({ block: "my block 🦾", port: "out", elements: "" });
});
