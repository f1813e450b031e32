import { describe, expect, it } from "vitest";
import { Polyline } from "./decimate";
import { reduce } from "./spectra";

describe("reduce", () => {
  const all = new Polyline(2048);
  for (let k = 0; k <= 1000; k++) all.add(k * 0.5, k === 137 ? 9 : k === 138 ? 4 : 1 + (k % 7) / 100);

  it("keeps the greatest amplitude of each column", () => {
    const line = new Polyline();
    reduce(all, 0, 500, 50, line);
    expect(line.length).toBeLessThanOrEqual(52);
    expect(line.greatest).toBe(9);
    expect([...line.xs.subarray(0, line.length)]).toContain(68.5);
  });

  it("keeps every bin of a narrow band", () => {
    const line = new Polyline();
    reduce(all, 60, 75, 800, line);
    expect([...line.xs.subarray(0, line.length)]).toEqual(Array.from({ length: 31 }, (_, i) => 60 + i / 2));
  });

  it("is empty without a spectrum", () => {
    const line = new Polyline();
    reduce(new Polyline(), 0, 1, 100, line);
    expect(line.length).toBe(0);
  });
});
