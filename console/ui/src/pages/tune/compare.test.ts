import { expect, test } from "vitest";
import { compare } from "./compare";
import type { Curve } from "./response";

const times = Array.from({ length: 12_001 }, (_, i) => i * 1e-3);
const curve = (f: (t: number) => number): Curve => ({ t: times, y: times.map(f) });
/** a square wave: 0 and 1, each for 1.5 s */
const wave = curve((t) => (t % 3 < 1.5 ? 0 : 1));

test("equal steps before and after are compared, with the closed form of each time constant", () => {
  let state = 0;
  const y = curve((t) => (state += (1 - Math.exp(-1e-3 / (t < 6 ? 0.2 : 0.05))) * ((t % 3 < 1.5 ? 0 : 1) - state)));
  const c = compare(y, wave, 6);
  expect(c?.aligned).toBe("step");
  expect(c?.note).toBe("");
  expect(c?.before.settling).toBeCloseTo(0.2 * Math.log(50), 2);
  expect(c?.after.settling).toBeCloseTo(0.05 * Math.log(50), 2);
  expect(c?.before.rms).toBeCloseTo(Math.sqrt(0.1 / 1.5), 2); // τ/2 of 1.5 s
  expect(c?.after.rms).toBeCloseTo(Math.sqrt(0.025 / 1.5), 2);
  expect(c?.curves.before.t.at(-1)).toBeCloseTo(c?.curves.after.t.at(-1) ?? 0, 2);
});

test("without a step equal times before and after the change are compared", () => {
  const y = curve((t) => (t < 8 ? 2 : 1));
  const c = compare(y, null, 8);
  expect(c).toMatchObject({ aligned: "change", before: { overshoot: null }, after: { settling: null } });
  expect(c?.before.rms).toBeCloseTo(2, 3);
  expect(c?.after.rms).toBeCloseTo(1, 3);
  expect(c?.curves.before.t.at(-1)).toBeCloseTo(4, 2);
  expect(compare(y, curve(() => 1), 8)?.note).toContain("no step");
});

test("a side without samples cannot be compared", () => {
  expect(compare(wave, null, 13)).toBeNull();
  expect(compare(wave, null, 0)).toBeNull();
});
