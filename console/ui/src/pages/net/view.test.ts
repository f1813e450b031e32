import { expect, test } from "vitest";
import { layout } from "./layout";
import { groupsOf, visible } from "./graph";
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

test("a view whose drawing begins outside the window stays", () => {
  expect(leftwards({ scale: 0.05, x: -100, y: 0 }, 48)).toEqual({ scale: 0.05, x: -100, y: 0 });
});
