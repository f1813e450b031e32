import { describe, expect, it } from "vitest";
import { decimate, Polyline } from "./decimate";
import { Ring } from "./ring";

function filled(count: number, f: (i: number) => number | string): Ring {
  const ring = new Ring();
  for (let i = 0; i < count; i++) ring.push(i / 1000, f(i));
  return ring;
}

function points(line: Polyline): [number, number][] {
  return Array.from({ length: line.length }, (_, i) => [line.xs[i] ?? 0, line.ys[i] ?? 0]);
}

describe("decimate", () => {
  const line = new Polyline(8);

  it("keeps few samples unchanged, plus one beyond each edge", () => {
    decimate(filled(100, (i) => i), 0.0105, 0.0145, 100, line);
    expect(points(line).map(([, y]) => y)).toEqual([10, 11, 12, 13, 14, 15]);
  });

  it("keeps every spike", () => {
    decimate(filled(60_000, (i) => (i === 31_415 ? 7 : i === 27_182 ? -3 : Math.sin(i / 500))), 0, 60, 800, line);
    expect(line.greatest).toBe(7);
    expect(line.least).toBe(-3);
    expect(line.length).toBeLessThanOrEqual(3 * 802);
  });

  it("finds the same extremes as a linear search", () => {
    let seed = 12345;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const ring = filled(70_000, () => random());
    for (let trial = 0; trial < 50; trial++) {
      const from = 10 + 20 * random();
      const to = from + 20 + 10 * random();
      decimate(ring, from, to, 300, line);
      let [least, greatest] = [Infinity, -Infinity];
      for (let i = Math.max(ring.first, ring.search(from) - 1); i < Math.min(ring.end, ring.search(to) + 1); i++) {
        least = Math.min(least, ring.value(i));
        greatest = Math.max(greatest, ring.value(i));
      }
      expect([line.least, line.greatest]).toEqual([least, greatest]);
    }
  });

  it("draws NaN as a gap, with few and many samples", () => {
    const ring = filled(10_000, (i) => (i >= 5000 && i < 5100 ? "NaN" : 1));
    for (const columns of [200, 20_000]) {
      decimate(ring, 0, 10, columns, line);
      const inside = points(line).filter(([x]) => x > 5.005 && x < 5.045);
      expect(inside.every(([, y]) => Number.isNaN(y))).toBe(true);
      expect(points(line).some(([x, y]) => x > 4.9 && x < 5.2 && Number.isNaN(y))).toBe(true);
      expect(line.gaps.length).toBeGreaterThan(0);
    }
  });

  it("breaks a line without marking a gap", () => {
    const ring = filled(100, (i) => i);
    ring.breakLine();
    for (let i = 101; i < 200; i++) ring.push(i / 1000, i);
    for (const columns of [10, 1000]) {
      decimate(ring, 0, 0.2, columns, line);
      expect([line.gaps.length, points(line).filter(([, y]) => Number.isNaN(y)).length]).toEqual([0, 1]);
    }
  });

  it("keeps its columns while the picture scrolls", () => {
    const ring = filled(20_000, (i) => Math.sin(i * i));
    const inner = (from: number): string => {
      decimate(ring, from, from + 8, 400, line);
      return JSON.stringify(points(line).filter(([x]) => x > 3 && x < 7));
    };
    expect(inner(2)).toBe(inner(2.0137));
  });

  it("returns no points for an empty ring or span", () => {
    decimate(new Ring(), 0, 1, 100, line);
    expect(line.length).toBe(0);
    decimate(filled(10, (i) => i), 1, 1, 100, line);
    expect(line.length).toBe(0);
  });
});
