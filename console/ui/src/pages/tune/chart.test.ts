import { expect, test } from "vitest";
import { isConstant, ticksOf } from "./chart";

const ranges: [number, number][] = [[0, 1], [-3, 4], [0.99999999, 1.00000001], [1, 1 + 1e-12], [1, 1 + 1e-15], [1e9, 1e9 + 1], [-1e-300, 1e-300], [5, 5], [0, 0], [-1e12, 1e-12]];

test("ticks are different numbers between the ends, a few of them", () => {
  for (const range of ranges) {
    const ticks = ticksOf(range, false, 8);
    expect(new Set(ticks).size, String(range)).toBe(ticks.length);
    expect(ticks.length, String(range)).toBeGreaterThan(0);
    expect(ticks.length, String(range)).toBeLessThan(20);
    for (const t of ticks) expect(t >= range[0] - 1e-9 * Math.abs(range[0]) && t <= range[1] + 1e-9 * Math.abs(range[1]), `${t} of ${range.join(" to ")}`).toBe(true);
  }
  expect(ticksOf([0, 1], false, 4)).toEqual([0, 0.5, 1]);
  expect(ticksOf([0.5, 100], true, 12)).toEqual([0.5, 1, 2, 5, 10, 20, 50, 100]);
  expect(ticksOf([Infinity, -Infinity], false, 4)).toEqual([]);
});

test("a settled signal that differs by rounding is constant", () => {
  expect(isConstant(1, 1 + 1e-12)).toBe(true);
  expect(isConstant(0, 0)).toBe(true);
  expect(isConstant(0, 1e-12)).toBe(false);
  expect(isConstant(1, 1.001)).toBe(false);
});
