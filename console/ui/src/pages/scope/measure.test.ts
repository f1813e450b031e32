import { describe, expect, it } from "vitest";
import { AutoRange, nextWindow, roundRange, roundStep, formatDuration, formatReading, formatValue } from "./axes";
import { toCSV } from "./csv";
import { measure } from "./measure";
import { Ring } from "./ring";

describe("measure", () => {
  it("measures extremes, mean, rms and frequency of a sine", () => {
    const ring = new Ring();
    for (let i = 0; i < 10_000; i++) ring.push(i / 1000, 2 + 3 * Math.sin(2 * Math.PI * 7 * (i / 1000)));
    const m = measure(ring, 1, 9);
    expect(m.least).toBeCloseTo(-1, 2);
    expect(m.greatest).toBeCloseTo(5, 2);
    expect(m.mean).toBeCloseTo(2, 2);
    expect(m.rms).toBeCloseTo(Math.sqrt(4 + 4.5), 2);
    expect(m.frequency).toBeCloseTo(7, 2);
    expect(m.samples).toBe(8000);
  });

  it("shows no rate for noise, for two steps and for one period", () => {
    const [noise, steps, period] = [new Ring(), new Ring(), new Ring()];
    let state = 1; // of a linear congruential generator
    for (let i = 0; i < 10_000; i++) {
      state = (1103515245 * state + 12345) % 2 ** 31;
      noise.push(i / 1000, state / 2 ** 31);
      steps.push(i / 1000, [2_000, 7_000].some((at) => i >= at && i < at + 500) ? 1 : 0);
      period.push(i / 1000, Math.sin(2 * Math.PI * 0.15 * (i / 1000)));
    }
    for (const ring of [noise, steps, period]) expect(measure(ring, 0, 10).frequency).toBeNaN();
  });

  it("ignores gaps and returns NaN without samples", () => {
    const ring = new Ring();
    [1, "NaN", 3].forEach((v, i) => ring.push(i, v));
    expect(measure(ring, 0, 9).mean).toBe(2);
    expect(measure(ring, 5, 9).mean).toBeNaN();
  });
});

describe("axes", () => {
  it("roundStep uses 1, 2, 5", () => {
    expect([0.3, 1, 1.2, 3, 7].map(roundStep)).toEqual([0.5, 1, 2, 5, 10]);
  });

  it("roundRange rounds outwards", () => {
    const { min, max } = roundRange(-0.93, 1.07);
    expect(min).toBeLessThanOrEqual(-0.93);
    expect(max).toBeGreaterThanOrEqual(1.07);
    expect(roundRange(5, 5).min).toBeLessThan(5);
    expect(roundRange(-1.00003, -1).max - roundRange(-1.00003, -1).min).toBeGreaterThan(0.01);
    expect(roundRange(Infinity, -Infinity)).toEqual({ min: -1, max: 1 });
  });

  it("AutoRange widens immediately, narrows late, and does not flicker", () => {
    const axis = new AutoRange();
    const first = axis.follow({ min: -1, max: 1 }, 0);
    expect(axis.follow({ min: -0.98, max: 1.01 }, 10)).toEqual(first);
    expect(axis.follow({ min: -3, max: 1 }, 20).min).toBeLessThanOrEqual(-3);
    const wide = axis.follow({ min: -0.1, max: 0.1 }, 30);
    expect(wide.min).toBeLessThanOrEqual(-3);
    expect(axis.follow({ min: -0.1, max: 0.1 }, 1600).min).toBeGreaterThan(-0.3);
  });

  it("AutoRange keeps the end that is not exceeded", () => {
    const axis = new AutoRange();
    const { min } = axis.follow({ min: 0, max: 0.1 }, 0);
    let range = { min, max: 0 };
    for (let max = 0.2; max < 3; max += 0.1) range = axis.follow({ min: 0, max }, 1);
    expect(range.max).toBeLessThan(4);
    expect(range.min).toBeGreaterThanOrEqual(-1); // one step at most: the ends are round
  });

  it("nextWindow steps through the time spans", () => {
    expect([nextWindow(10, 1), nextWindow(10, -1), nextWindow(60, 1), nextWindow(0.02, -1)]).toEqual([20, 5, 60, 0.02]);
  });

  it("formats durations and values", () => {
    expect([0.02, 1.5, 180, 0, 25e-6].map(formatDuration)).toEqual(["20 ms", "1.5 s", "3 min", "0 s", "25 µs"]);
    expect([3, -12000, 0.5, NaN].map(formatReading)).toEqual(["3", "−12000", "0.50000", "–"]);
    expect([0, NaN, -1.23456789, 1234.5678, 1e9, 1e-7].map(formatValue)).toEqual(["0", "–", "−1.2346", "1234.6", "1.000e9", "1.000e−7"]);
  });
});

describe("toCSV", () => {
  it("writes one row per sample time and quotes fields", () => {
    const [a, b] = [new Ring(64), new Ring(64)];
    a.push(0, 1);
    a.push(0.001, "NaN");
    b.push(0.001, 5);
    b.push(0.002, 6);
    const csv = toCSV([{ name: 'a,"1"', unit: "rad", ring: a }, { name: "b", unit: "", ring: b }], 0, 1);
    expect(csv.split("\r\n")).toEqual(['time [s],"a,""1"" [rad]",b', "0,1,", "0.001,NaN,5", "0.002,,6", ""]);
  });
});
