import { expect, test } from "vitest";
import { heat, margin, nearness, torqueShare } from "./load";
import type { JointInfo } from "./model";

const joint: JointInfo = { name: "a", lower: -1, upper: 3, slides: false, speed: 1, endless: false, effort: 50, parent: null };

test("torque is a share of the effort, unknown without one", () => {
  expect(torqueShare(joint, -25)).toBe(0.5);
  expect(torqueShare({ ...joint, effort: 0 }, 25)).toBeNaN();
  expect(torqueShare(joint, undefined)).toBeNaN();
});

test("the nearer limit counts, and is negative beyond", () => {
  expect(margin(joint, 2.8)).toMatchObject({ limit: "upper" });
  expect(margin(joint, 2.8)?.share).toBeCloseTo(0.05, 9);
  expect(margin(joint, -1.2)).toMatchObject({ limit: "lower" });
  expect(margin(joint, -1.2)?.distance).toBeCloseTo(-0.2, 9);
  expect(margin({ ...joint, endless: true }, 0)).toBeNull();
});

test("colours go from ok over warn to bad", () => {
  expect([nearness(0.5), nearness(0.125), nearness(-1)]).toEqual([0, 0.5, 1]);
  expect(heat(0)).toContain("var(--warn) 0%");
  expect(heat(2)).toContain("var(--bad) 100%");
});
