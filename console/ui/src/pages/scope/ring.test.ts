import { describe, expect, it } from "vitest";
import { BLOCK, MINUTE, Ring, formatGaps } from "./ring";

describe("Ring", () => {
  it("keeps the newest samples in order, up to its capacity", () => {
    const ring = new Ring(128);
    for (let i = 0; i < 1000; i++) ring.push(i / 1000, i);
    expect(ring.end - ring.first).toBe(128);
    expect(ring.oldest).toBeCloseTo(0.872);
    expect(ring.newest).toBeCloseTo(0.999);
    for (let i = ring.first; i < ring.end; i++) expect(ring.value(i)).toBe(i);
  });

  it("holds a minute of 1 kHz", () => {
    expect(MINUTE).toBeGreaterThanOrEqual(60_000);
  });

  it("search and at find samples by time", () => {
    const ring = new Ring(128);
    for (let i = 0; i < 10; i++) ring.push(i, i * i);
    expect(ring.search(3)).toBe(3);
    expect(ring.search(3.5)).toBe(4);
    expect(ring.search(99)).toBe(10);
    expect(ring.at(3.5)).toBe(9);
    expect(ring.at(-1)).toBeNaN();
    expect(ring.at(99)).toBe(81);
  });

  it("keeps non-finite values as gaps and counts them", () => {
    const ring = new Ring(128);
    [1, "NaN", "+Inf", "-Inf", NaN, true].forEach((v, i) => ring.push(i, v));
    expect([1, 2, 3, 4].map((i) => ring.value(i))).toEqual([NaN, NaN, NaN, NaN]);
    expect(ring.value(5)).toBe(1);
    expect(formatGaps(ring.gaps)).toBe("2 NaN, 1 +Inf, 1 −Inf");
    expect(formatGaps(new Ring(64).gaps)).toBe("");
  });

  it("restarts when time runs backwards", () => {
    const ring = new Ring(128);
    ring.push(10, 1);
    ring.push(0, 2);
    expect([ring.first, ring.end, ring.value(0)]).toEqual([0, 1, 2]);
  });

  it("breakLine adds one break and counts no value", () => {
    const ring = new Ring(128);
    ring.breakLine();
    ring.push(1, 1);
    ring.breakLine();
    ring.breakLine();
    ring.push(2, 2);
    expect([ring.end, ring.value(1), ring.isBreak(1), ring.isBreak(0), formatGaps(ring.gaps)]).toEqual([3, NaN, true, false, ""]);
  });

  it("summarizes blocks after wrapping around", () => {
    const ring = new Ring(64);
    for (let i = 0; i < 200; i++) ring.push(i, i === 140 ? "NaN" : i);
    const start = 128 + BLOCK; // 160..191
    expect(ring.wholeBlock(start)).toBe(true);
    expect([ring.leastOf(start), ring.greatestOf(start), ring.holesOf(start)]).toEqual([160, 191, 0]);
    expect(ring.wholeBlock(192)).toBe(false);
  });

  it("rejects a capacity that is not a power of two", () => {
    expect(() => new Ring(100)).toThrow(RangeError);
  });
});
