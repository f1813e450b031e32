import { describe, expect, it } from "vitest";
import { Ring } from "./ring";
import { EdgeFinder, Trigger, type TriggerSettings } from "./trigger";

const settings: TriggerSettings = { mode: "normal", edge: "rising", level: 0, hysteresis: 0, position: 0.5 };

function sine(seconds: number, hertz: number, from = 0, ring = new Ring()): Ring {
  for (let i = 0; i < seconds * 1000; i++) ring.push(from + i / 1000, -Math.cos(2 * Math.PI * hertz * (from + i / 1000)));
  return ring;
}

describe("EdgeFinder", () => {
  it("finds the newest rising edge by interpolation", () => {
    const found = new EdgeFinder().find(sine(1, 5), settings, 1);
    expect(found).toBeCloseTo(0.85, 5);
  });

  it("finds falling and either edges", () => {
    expect(new EdgeFinder().find(sine(1, 5), { ...settings, edge: "falling" }, 1)).toBeCloseTo(0.95, 5);
    expect(new EdgeFinder().find(sine(1, 5), { ...settings, edge: "either" }, 1)).toBeCloseTo(0.95, 5);
  });

  it("finds the oldest edge with first", () => {
    expect(new EdgeFinder().find(sine(1, 5), settings, 1, true)).toBeCloseTo(0.05, 5);
  });

  it("requires a sample on the other side of the level", () => {
    const ring = new Ring();
    [1, 2, 3].forEach((v, i) => ring.push(i, v));
    expect(new EdgeFinder().find(ring, settings, 9)).toBeNull();
  });

  it("ignores noise smaller than the hysteresis", () => {
    const ring = new Ring();
    [-1, 0.1, -0.1, 0.1, -0.1, 0.1, -1, 1].forEach((v, i) => ring.push(i, v));
    const finder = new EdgeFinder();
    expect(finder.find(ring, { ...settings, hysteresis: 0.5 }, 5.5)).toBeCloseTo(1 - 0.1 / 1.1, 9);
    expect(finder.find(ring, { ...settings, hysteresis: 0.5 }, 9)).toBeCloseTo(6.5, 9);
  });

  it("finds no edge across a gap", () => {
    const ring = new Ring();
    [-1, "NaN", 1].forEach((v, i) => ring.push(i, v));
    expect(new EdgeFinder().find(ring, settings, 9)).toBeNull();
  });

  it("reads each sample once", () => {
    const ring = sine(1, 5);
    const finder = new EdgeFinder();
    expect(finder.find(ring, settings, 1)).not.toBeNull();
    expect(finder.find(ring, settings, 1)).toBeNull();
  });
});

describe("Trigger", () => {
  it("rolls if it is off or has no signal", () => {
    expect(new Trigger().show(sine(1, 5), { ...settings, mode: "off" }, 0.5, 1)).toEqual({ from: 0.5, to: 1, edge: null, state: "rolling" });
    expect(new Trigger().show(null, settings, 0.5, 1).state).toBe("rolling");
  });

  it("shows only edges with a complete time span", () => {
    const shown = new Trigger().show(sine(1, 5), settings, 0.4, 0.999);
    expect(shown.state).toBe("triggered");
    expect(shown.edge).toBeCloseTo(0.65, 5); // 0.85 + 0.2 is beyond the last sample
    expect([shown.from, shown.to].map((t) => Math.round(t * 100))).toEqual([45, 85]);
  });

  it("stops at the first edge in single mode until it is armed again", () => {
    const trigger = new Trigger();
    const ring = sine(1, 5);
    const single: TriggerSettings = { ...settings, mode: "single" };
    const first = trigger.show(ring, single, 0.1, 0.999);
    expect([first.state, first.edge]).toEqual(["stopped", expect.closeTo(0.05, 5)]);
    sine(1, 5, 1, ring);
    expect(trigger.show(ring, single, 0.1, 1.999).edge).toBe(first.edge);
    trigger.arm(ring);
    expect(trigger.show(ring, single, 0.1, 1.999).state).toBe("waiting");
    sine(1, 5, 2, ring);
    expect(trigger.show(ring, single, 0.1, 2.999).edge).toBeCloseTo(2.05, 5);
  });

  it("without edges, rolls in auto mode and keeps the last edge in normal mode", () => {
    for (const [mode, state, to] of [["auto", "waiting", 9], ["normal", "triggered", 1.1]] as const) {
      const trigger = new Trigger();
      const ring = sine(1, 5);
      trigger.show(ring, { ...settings, mode }, 0.2, 0.999);
      for (let t = 1; t < 9; t += 0.001) ring.push(t, 0.5);
      const shown = trigger.show(ring, { ...settings, mode }, 0.2, 9);
      expect(shown.state).toBe(state);
      expect(shown.to).toBeCloseTo(to, 2);
    }
  });
});
