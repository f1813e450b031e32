import { expect, test } from "vitest";
import { layout } from "./layout";
import { groupsOf, visible } from "./graph";
import { opening } from "./opening";
import { nets } from "./testnets";
import { fitted, leftwards } from "./view";

test.each(nets.filter(([name]) => name !== "plant"))("%s, which fits: a view moved to the left keeps every box visible and has more room at the right", (_, s) => {
  const drawing = layout(visible(s, new Set(groupsOf(s))));
  const window = { width: 900, height: 700 };
  const before = fitted(drawing, window);
  const v = leftwards(before, 48);
  expect(v.scale).toBe(before.scale);
  expect(before.x - v.x).toBeGreaterThanOrEqual(Math.min(48, 52 * v.scale));
  expect(before.x - v.x).toBeLessThanOrEqual(48);
  for (const r of drawing.rects.values()) expect(r.x * v.scale + v.x).toBeGreaterThan(0);
});

test("an editor that is too narrow for readable labels shows the left end of the drawing with the links there", () => {
  const walker = nets.find(([name]) => name === "walker")?.[1] ?? expect.fail("no walker");
  const graph = visible(walker, new Set());
  const drawing = layout(graph);
  const v = opening(drawing, { width: 420, height: 1000 }, false, graph);
  expect(drawing.width * v.scale).toBeGreaterThan(420);
  expect(v.x).toBe(0);
});

test("a view whose drawing begins outside the window stays", () => {
  expect(leftwards({ scale: 0.05, x: -100, y: 0 }, 48)).toEqual({ scale: 0.05, x: -100, y: 0 });
});
