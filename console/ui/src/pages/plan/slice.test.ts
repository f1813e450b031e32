import { expect, test } from "vitest";
import { place, polyline } from "./slice";

test("a motion is drawn between the limits of two joints, upwards", () => {
  const limits = { lower: [0, -1], upper: [2, 1] };
  expect(place(0.5, 0, limits)).toBe(0.25);
  expect(polyline([[0, -1], [2, 1]], 0, 1, limits)).toBe("0.00,100.00 100.00,0.00");
});
