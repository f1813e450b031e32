import { describe, expect, test } from "vitest";
import { groupsOf, visible, type GraphNode } from "./graph";
import { layout, placeAt, type Places, type Rect } from "./layout";
import { homeOf, placesIn, problemsOf } from "./layouts";
import { apart, janus, nets } from "./testnets";

describe.each(nets)("%s, with boxes placed by hand", (_, s) => {
  const graph = visible(s, new Set(groupsOf(s)));
  const automatic = layout(graph);
  const rect = (n: GraphNode, d = automatic): Rect => d.rects.get(n.id) as Rect;
  // Each seventh box moves onto the box that follows it, or far to the upper left.
  const places: Places = new Map(
    [...graph.nodes.values()].flatMap((n, i): [string, { x: number; y: number }][] => {
      if (n.open || i % 7 !== 0) return [];
      const beside = (n.parent?.children ?? graph.roots).find((x) => x !== n && !x.open);
      const target = i % 2 === 0 && beside ? rect(beside) : { x: rect(n).x - 900, y: rect(n).y - 700 };
      return [[n.id, placeAt(automatic, n, target)]];
    }),
  );
  const drawing = layout(graph, 18, places);
  const children = (n: GraphNode | undefined): GraphNode[] => (n ? n.children : graph.roots);
  const levels = [undefined, ...[...graph.nodes.values()].filter((n) => n.open)];

  test("they are where they were placed", () => {
    expect(places.size).toBeGreaterThan(1);
    for (const [id, p] of places) expect(placeAt(drawing, graph.nodes.get(id) as GraphNode, rect(graph.nodes.get(id) as GraphNode, drawing))).toEqual(p);
  });

  test("the others make room, and groups grow around their boxes", () => {
    for (const group of levels) {
      const [around, all] = [group && rect(group, drawing), children(group)];
      all.forEach((a, i) => {
        const r = rect(a, drawing);
        all.slice(i + 1).forEach((b) => expect(apart(r, rect(b, drawing)) || (places.has(a.id) && places.has(b.id)), `${a.id} and ${b.id}`).toBe(true));
        if (around) expect(r.x >= around.x && r.y >= around.y && r.x + r.width <= around.x + around.width && r.y + r.height <= around.y + around.height + 0.5, a.id).toBe(true);
        else expect(r.x >= 0 && r.y >= 0 && r.x + r.width <= drawing.width && r.y + r.height <= drawing.height, a.id).toBe(true);
      });
    }
  });

  test("boxes that no placed box covers stay where they were", () => {
    for (const group of levels) {
      const [before, after] = [automatic.origins.get(group?.id ?? ""), drawing.origins.get(group?.id ?? "")];
      const free = children(group).filter((n) => !n.open && !places.has(n.id));
      if (!before || !after || children(group).some((n) => n.open)) continue; // groups have grown
      const still = free.filter((n) => Math.abs(rect(n).x - before.x - (rect(n, drawing).x - after.x)) < 0.01 && Math.abs(rect(n).y - before.y - (rect(n, drawing).y - after.y)) < 0.01);
      expect(free.length - still.length).toBeLessThanOrEqual(4 * children(group).filter((n) => places.has(n.id)).length);
    }
  });

  test("links start and end at their boxes", () => {
    for (const { edge, points } of drawing.routes) {
      const [from, to] = [rect(edge.from, drawing), rect(edge.to, drawing)];
      expect(points[0]?.x).toBe(from.x + from.width);
      expect(points.at(-1)?.x).toBe(to.x);
      expect(points.every((p) => Number.isFinite(p.x) && Number.isFinite(p.y))).toBe(true);
    }
  });

  test("with higher rows they keep their order and their distance in rows", () => {
    const high = layout(graph, 27, places);
    for (const [id, p] of places) expect(placeAt(high, graph.nodes.get(id) as GraphNode, rect(graph.nodes.get(id) as GraphNode, high))).toEqual(p);
  });
});

test("without places the layout is the automatic one", () => {
  const graph = visible(janus, new Set());
  expect(layout(graph, 18, new Map([["gone", { x: 1, y: 2 }]]))).toEqual(layout(graph));
});

const file = { problem: "", version: "1" };
const layouts = [
  { ...file, file: "/walker.yaml", name: "layout/walker.yaml", groups: [], boxes: { legs: [1, 2] as [number, number], bdoy: [0, 0] as [number, number] } },
  { ...file, file: "/base.yaml", name: "layout/base.yaml", groups: [], boxes: { legs: [9, 9] as [number, number], body: [5, 6] as [number, number] } },
  { ...file, file: "/leg.yaml", name: "layout/leg.yaml", groups: ["legs.left", "legs.right"], boxes: { knee: [3, 4] as [number, number] } },
];

test("a file of several groups places the boxes of all of them, and the first of several layouts counts", () => {
  const places = placesIn(layouts);
  expect(places.get("legs.left.knee")).toEqual({ x: 3, y: 4 });
  expect(places.get("legs.right.knee")).toEqual({ x: 3, y: 4 });
  expect(places.get("legs")).toEqual({ x: 1, y: 2 });
});

test("a box is placed in the layout that has it, or in that of the file which describes its group", () => {
  const home = (box: string): string => ((h) => `${h?.layout.name ?? ""} ${h?.name ?? ""}`)(homeOf(layouts, box));
  expect(home("legs.left.foot")).toBe("layout/leg.yaml foot");
  expect(home("body")).toBe("layout/base.yaml body");
  expect(home("legs.other")).toBe("layout/walker.yaml legs.other");
});

test("places of boxes that the net does not have are reported", () => {
  const exists = (box: string): boolean => ["legs", "legs.left", "legs.left.knee", "body"].includes(box);
  expect(problemsOf(layouts, exists)).toEqual(["layout/walker.yaml places what the running net does not have: bdoy"]);
  expect(problemsOf([{ ...file, file: "/x", name: "layout/x", groups: [], boxes: { "card{1-4}": [0, 0] }, problem: "line 3" }], exists)).toEqual(["line 3"]);
});
