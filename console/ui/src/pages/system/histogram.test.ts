import { expect, test } from "vitest";
import { labelled } from "./histogram";

test("an axis of a decade has 1, 2 and 5 of it, one of many decades has powers of ten, where there is room", () => {
  const over = (least: number, most: number, width: number) => (v: number): number => (width * Math.log10(v / least)) / Math.log10(most / least);
  expect(labelled(900, 11_000, over(900, 11_000, 600), 46)).toEqual([1_000, 2_000, 5_000, 10_000]);
  expect(labelled(1, 1e6, over(1, 1e6, 600), 46)).toEqual([1, 10, 100, 1_000, 10_000, 100_000, 1e6]);
  expect(labelled(1, 1e6, over(1, 1e6, 150), 46)).toEqual([1, 100, 10_000, 1e6]);
  expect(labelled(3, 4, over(3, 4, 600), 46)).toEqual([]);
});
