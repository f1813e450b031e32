import { expect, test } from "vitest";
import { between } from "./swept";

test("copies along a motion are at equal distances, each at a sample of its own between the ends", () => {
  expect(between(101, 3)).toEqual([25, 50, 75]);
  expect(between(4, 14)).toEqual([1, 2]);
  expect(between(2, 14)).toEqual([]);
});
