import { describe, expect, it } from "vitest";
import { curve, pairAt } from "./curve";
import { Polyline } from "./decimate";
import { Interpolator } from "./interpolate";
import { Ring } from "./ring";

function ring(samples: [number, number][]): Ring {
  const r = new Ring();
  for (const [time, value] of samples) r.push(time, value);
  return r;
}

function points(x: Ring, y: Ring, from: number, to: number): [number, number][] {
  const line = new Polyline(4);
  curve(x, y, from, to, line);
  return Array.from({ length: line.length }, (_, i) => [line.xs[i] ?? 0, line.ys[i] ?? 0]);
}

describe("Interpolator", () => {
  it("agrees with interp1 of Octave", () => {
    // GNU Octave 7.3.0: interp1([0 0.1 0.25 0.4], [1 3 -2 5], [0 0.05 0.1 0.2 0.3 0.4])
    const reader = new Interpolator(ring([[0, 1], [0.1, 3], [0.25, -2], [0.4, 5]]));
    expect([0, 0.05, 0.1, 0.2, 0.3, 0.4].map((t) => Number(reader.at(t).toFixed(10)))).toEqual([1, 2, 3, -0.3333333333, 0.3333333333, 5]);
  });

  it("has no value before the first sample, in gaps and at breaks, and holds the last one over a pause", () => {
    const r = ring([[1, 10], [1.1, 20], [1.2, NaN], [1.3, 40]]);
    r.breakLine();
    r.push(1.5, 50);
    r.push(4, 60);
    const reader = new Interpolator(r);
    expect([0.5, 1.1, 1.15, 1.25, 1.3, 1.4, 1.5, 3.9, 4, 9].map((t) => reader.at(t))).toEqual([NaN, 20, NaN, NaN, 40, NaN, 50, 50, 60, 60]);
  });
});

describe("curve", () => {
  it("pairs values at the times of the horizontal signal", () => {
    const x = ring([[0, 0], [0.1, 1], [0.2, 2], [0.3, 3]]);
    const y = ring([[0, 100], [0.15, 115], [0.3, 130]]);
    expect(points(x, y, 0.05, 0.3).map(([a, b]) => [a, Math.round(b * 1e9) / 1e9])).toEqual([[1, 110], [2, 120], [3, 130]]);
    expect(pairAt(x, y, 0.25).map((v) => Math.round(v * 1e9) / 1e9)).toEqual([2.5, 125]);
  });

  it("waits for the other signal, and lifts the pen at gaps", () => {
    const x = ring([[0, 0], [0.1, 1], [0.2, 2], [0.3, 3]]);
    expect(points(x, ring([[0, 5], [0.1, 6]]), 0, 1)).toEqual([[0, 5], [1, 6]]);
    expect(points(x, ring([[0, 5], [0.1, NaN], [0.2, 7], [0.3, 8]]), 0, 1)).toEqual([[0, 5], [1, NaN], [2, 7], [3, 8]]);
  });
});
