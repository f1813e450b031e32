import { describe, expect, it } from "vitest";
import type { Client } from "../../lib/client";
import type { Frame } from "../../lib/wire";
import { Feeder } from "./feed";
import { Scope } from "./scope.svelte";
import type { SignalInfo } from "./signals";
import { MOST } from "./trace";
import type { View } from "./view";

const info = (ref: string, unit: string): [string, SignalInfo] => [ref, { ref, unit, type: "float64", doc: "", kind: "output" }];
const known = new Map([info("a.x", "rad"), info("a.u", "V")]);

/** Returns the view of the only plot. */
function draw(scope: Scope): View {
  return scope.picture(800, 0)[0] ?? expect.fail("no plot");
}

/** A scope with a client whose frames are sent by the test. */
function rig(): { scope: Scope; feeder: Feeder; send: (from: number, to: number, f: (t: number) => number) => void; begin: () => Promise<void> } {
  let sink: ((f: Frame) => void) | undefined;
  let count = 0;
  const watch = (_: string, signals: unknown[], __: number, onFrame: (f: Frame) => void): { stop: () => void } => {
    [sink, count] = [onFrame, signals.length];
    return { stop: () => (sink = undefined) };
  };
  const feeder = new Feeder({ watch } as unknown as Client, () => undefined);
  const scope = new Scope(feeder);
  return {
    scope,
    feeder,
    send(from, to, f) {
      const times = Array.from({ length: Math.round((to - from) * 1000) }, (_, i) => from + i / 1000);
      const s = Array.from({ length: count }, (_, i): Frame["s"][number] => [i, times.map((t) => t * 1e9), times.map(f)]);
      sink?.({ id: "1", t: to * 1e9, lost: 0, s });
    },
    async begin() {
      feeder.follow("s", scope.traces);
      await new Promise((done) => setTimeout(done, 80));
    },
  };
}

describe("Scope", () => {
  it("draws received samples with one axis per unit", async () => {
    const { scope, send, begin } = rig();
    scope.add("a.x", known);
    scope.add("a.u", known);
    await begin();
    send(0, 5, (t) => Math.sin(t));
    scope.window = 2;
    const view = draw(scope);
    expect([view.from, view.to, view.zero].map((t) => Number(t.toFixed(3)))).toEqual([2.999, 4.999, 4.999]);
    expect([...view.ranges.keys()]).toEqual(["rad", "V"]);
    expect(view.drawn.map((d) => d.line.length > 100)).toEqual([true, true]);
  });

  it("notes why a spectrum has no peak", async () => {
    const { scope, send, begin } = rig();
    scope.add("a.x", known);
    scope.layout.add("spectrum", ["a.x"]);
    scope.add("= a.x + 1", known);
    await begin();
    send(0, 5, () => 5);
    const notes = (): readonly string[] => scope.picture(800, 0)[1]?.notes ?? [];
    expect(notes()).toEqual(["a.x is constant in this span: its spectrum has no peak", "= a.x + 1: the spectrum is being computed"]);
    expect(scope.pending).toBe(true); // one spectrum a frame
    expect(notes()[1]).toBe("= a.x + 1 is constant in this span: its spectrum has no peak");
  });

  it("holds, zooms and runs again with a gap for the time between", async () => {
    const { scope, send, begin } = rig();
    scope.add("a.x", known);
    await begin();
    send(0, 2, (t) => t);
    draw(scope);
    scope.pause();
    scope.freeze(0.5, 1);
    send(2, 3, (t) => t);
    expect(draw(scope)).toMatchObject({ from: 0.5, to: 1 });
    expect(scope.measure().get("a.x")?.greatest).toBeCloseTo(0.999);
    scope.run();
    send(3, 4, (t) => t);
    const ring = draw(scope).drawn[0]?.ring;
    expect([ring?.at(2.5), ring?.at(3.5)]).toEqual([NaN, expect.closeTo(3.5)]);
  });

  it("continues without a gap if the same signals are followed", async () => {
    const { scope, feeder, send, begin } = rig();
    scope.add("a.x", known);
    await begin();
    send(0, 1, (t) => t);
    feeder.follow("s", scope.traces.map((t) => ({ ...t, shown: false })));
    send(1, 2, (t) => t);
    const ring = feeder.rings.get("a.x");
    expect(ring?.end).toBe(2000);
  });

  it("places the trigger's edge", async () => {
    const { scope, send, begin } = rig();
    scope.add("a.x", known);
    scope.window = 0.4;
    await begin();
    scope.setTrigger({ mode: "normal", edge: "rising", level: 0, position: 0.25 });
    send(0, 3, (t) => Math.sin(2 * Math.PI * t));
    const view = draw(scope);
    expect(scope.state).toBe("triggered");
    expect(view.zero).toBeCloseTo(2, 6);
    expect(view.from).toBeCloseTo(1.9, 6);
  });

  it("limits the number of signals and reuses pens", () => {
    const { scope } = rig();
    for (let i = 0; i < MOST; i++) expect(scope.add(`b.x${i}`, known)).toBe("");
    expect(scope.add("b.more", known)).toBe("Limit: 16 signals, those of formulas included. Remove one first.");
    scope.remove("b.x3");
    scope.add("b.more", known);
    expect(scope.traces.at(-1)?.pen).toBe(3);
  });

  it("keeps cursors on the screen and measures between them", async () => {
    const { scope, send, begin } = rig();
    scope.add("a.x", known);
    scope.window = 1;
    await begin();
    send(0, 2, (t) => t);
    draw(scope);
    scope.toggleCursors();
    send(2, 3, (t) => t);
    const [a, b] = draw(scope).cursors ?? [0, 0];
    expect([a, b]).toEqual([expect.closeTo(1.999 + 1 / 3), expect.closeTo(1.999 + 2 / 3)]);
    const row = scope.measure().get("a.x");
    expect((row?.b ?? 0) - (row?.a ?? 0)).toBeCloseTo(1 / 3, 2);
  });
});
