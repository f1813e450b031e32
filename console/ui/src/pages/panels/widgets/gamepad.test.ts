import { expect, test } from "vitest";
import { stickOf } from "./gamepad";

const pad = (...axes: number[]) => ({ id: "pad", connected: true, axes });

test("stickOf maps the stick continuously from the dead zone to full deflection", () => {
  expect(stickOf([pad(1, 0)])).toEqual({ x: 1, y: 0, gamepad: "pad" });
  expect(stickOf([pad(0, -1)])).toEqual({ x: 0, y: 1, gamepad: "pad" });
  const { x, y } = stickOf([pad(0.05, -0.05)]);
  expect([x, Math.abs(y)]).toEqual([0, 0]);
  expect(stickOf([pad(0.0801, 0)]).x).toBeLessThan(0.001);
  expect(stickOf([pad(-0.54, 0)]).x).toBeCloseTo(-0.5, 10);
});

test("stickOf returns the centre without a connected gamepad", () => {
  for (const list of [[], [null], [{ ...pad(1, 1), connected: false }], [pad()]]) {
    const { x, y } = stickOf(list);
    expect([x, y]).toEqual([0, 0]);
  }
  expect(stickOf([null, pad(1, 0)]).x).toBe(1);
});
