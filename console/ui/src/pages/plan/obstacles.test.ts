import { expect, test } from "vitest";
import { added, changed, freeName, resized, sizesOf } from "./obstacles";

test("a new obstacle has a name that no other one has, and sizes of its kind", () => {
  const first = added("box", [1, 0, 0], []);
  const second = added("box", [1, 0, 0], [first]);
  expect([first.name, second.name, freeName("sphere", [first])]).toEqual(["box1", "box2", "sphere1"]);
  expect(second.parts.map((p) => sizesOf(p).length)).toEqual(second.parts.map((p) => p.size.length));
});

test("a change leaves the other obstacles and the list before it as they were", () => {
  const before = [added("box", [0, 0, 0], []), added("sphere", [0, 0, 0], [])];
  const after = changed(before, "sphere1", { p: [1, 2, 3] });
  expect(after[0]).toBe(before[0]);
  expect([before[1]?.p, after[1]?.p]).toEqual([[0, 0, 0], [1, 2, 3]]);
});

test("a size that no shape can have is refused", () => {
  const box = added("box", [0, 0, 0], []);
  for (const size of [0, -1, NaN, 1e6]) expect(resized(box, 0, 0, size)).toBeNull();
  expect(resized(box, 0, 1, 0.7)?.parts[0]?.size).toEqual([0.2, 0.7, 0.2]);
});
