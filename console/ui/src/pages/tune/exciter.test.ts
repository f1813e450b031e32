import { expect, test } from "vitest";
import type { Excitation } from "../../lib/excitation";
import { resultOf } from "./exciter.svelte";
import type { Curve } from "./response";

const dt = 1e-3; // s
const at = 100; // s: when the waveform begins
const spare = 0.4; // s recorded before and after it

const curve = (duration: number, f: (t: number) => number): Curve => {
  const t = Array.from({ length: Math.round((duration + 2 * spare) / dt) + 1 }, (_, i) => i * dt - spare);
  return { t: t.map((x) => x + at), y: t.map(f) };
};
const without = (c: Curve, lost: (t: number) => boolean): Curve => {
  const kept = c.t.map((t, i) => [t, c.y[i] ?? NaN] as const).filter(([t]) => !lost(t - at));
  return { t: kept.map(([t]) => t), y: kept.map(([, y]) => y) };
};

const jump: Excitation = { shape: "step", centre: 0.5, amplitude: 0.5, duration_s: 4 };
const reference = curve(4, (t) => (t < 1 ? 0 : 1));

test("the result of a step has the settling time of a first-order system, and no overshoot", () => {
  const [tau, gain] = [0.2, 3];
  const y = curve(4, (t) => (t < 1 ? 0 : gain * (1 - Math.exp(-(t - 1) / tau))));
  const { step, bode, note, curves } = resultOf("a.in", "a.out", jump, [reference, y], at, 0);
  expect([bode, note]).toEqual([null, ""]);
  expect(step?.settling).toBeCloseTo(tau * Math.log(50), 2); // e^(−t/τ) = 2 %, of the output's own step
  expect(step?.overshoot).toBeCloseTo(0, 3);
  expect([curves.input.t[0], curves.input.t.at(-1)]).toEqual([expect.closeTo(-0.2, 6), expect.closeTo(4.2, 6)]); // after the beginning
});

test("the result of a step has the overshoot of a second-order system", () => {
  const [zeta, wn] = [0.4, 10];
  const wd = wn * Math.sqrt(1 - zeta * zeta);
  const answer = (t: number): number => 1 - Math.exp(-zeta * wn * t) * (Math.cos(wd * t) + (zeta / Math.sqrt(1 - zeta * zeta)) * Math.sin(wd * t));
  const { step } = resultOf("a.in", "a.out", jump, [reference, curve(4, (t) => (t < 1 ? 0 : answer(t - 1)))], at, 0);
  expect(step?.overshoot).toBeCloseTo(100 * Math.exp((-Math.PI * zeta) / Math.sqrt(1 - zeta * zeta)), 1);
});

const sweep: Excitation = { shape: "sweep", centre: 0, amplitude: 1, duration_s: 20, from_hz: 1, to_hz: 40 };
const swept = curve(20, (t) => (t < 0 || t > 20 ? 0 : Math.sin(2 * Math.PI * (20 / Math.log(40)) * (40 ** (t / 20) - 1)))); // from 1 to 40 Hz, exponentially
const [gain, a] = [3, 0.1];
let state = 0;
const filtered: Curve = { t: swept.t, y: swept.y.map((u) => (state += a * (gain * u - state))) };

/** Compares a result up to a frequency in Hz with H = gain·a / (1 − (1 − a) e^(−jw)), the response of the filter. */
function matchesFilter({ bode }: ReturnType<typeof resultOf>, to: number): void {
  const inside = (bode?.f ?? []).map((f, i) => [f, i] as const).filter(([f]) => f > 2 && f < to);
  expect(inside.length).toBeGreaterThan(10);
  for (const [f, i] of inside) {
    const w = 2 * Math.PI * f * dt;
    const [re, im] = [1 - (1 - a) * Math.cos(w), (1 - a) * Math.sin(w)];
    expect(bode?.magnitude[i]).toBeCloseTo(20 * Math.log10((gain * a) / Math.hypot(re, im)), 0);
    expect(Math.abs((bode?.phase[i] ?? 0) + (Math.atan2(im, re) * 180) / Math.PI)).toBeLessThan(4);
  }
}

test("the result of a sweep is the response of a filter, between the frequencies of the sweep", () => {
  const result = resultOf("a.in", "a.out", sweep, [swept, filtered], at, 0);
  expect([result.step, result.note]).toEqual([null, ""]);
  expect(result.bode?.f[0]).toBeGreaterThanOrEqual(0.999);
  expect(result.bode?.f.at(-1)).toBeLessThanOrEqual(40.04);
  matchesFilter(result, 28); // that of the last whole part of the record
});

test("parts of a sweep in which samples were lost are left out of the result, which counts them", () => {
  const result = resultOf("a.in", "a.out", sweep, [swept, without(filtered, (t) => t > 17 && t < 17.1)], at, 100);
  expect(result.note).toMatch(/^1 of \d+ parts of the record were left out, because samples were lost in them$/);
  matchesFilter(result, 10); // at 17 s the sweep is at 23 Hz
});

test("a sweep with lost samples in every part has no response", () => {
  const result = resultOf("a.in", "a.out", sweep, [swept, without(filtered, (t) => t % 1 < 0.1)], at, 2000);
  expect(result.bode).toBeNull();
  expect(result.note).toMatch(/^Samples were lost in each of \d+ parts of the record/);
});

test("a step with lost samples is measured, and reports that it is less exact", () => {
  const y = curve(4, (t) => (t < 1 ? 0 : 1 - Math.exp(-(t - 1) / 0.2)));
  const result = resultOf("a.in", "a.out", jump, [reference, without(y, (t) => t > 2.5 && t < 2.7)], at, 200);
  expect(result.step?.settling).toBeCloseTo(0.2 * Math.log(50), 2);
  expect(result.note).toBe("200 samples were lost: the result is less exact");
});

test("a signal without new values is named, and so is an input without a step", () => {
  const none = { t: [at], y: [0] };
  expect(resultOf("a.in", "a.out", jump, [reference, none], at, 0).note).toBe("a.out has had no new values: its block did not run");
  expect(resultOf("a.in", "a.out", sweep, [none, filtered], at, 0).note).toBe("a.in has had no new values: its block did not run");
  expect(resultOf("a.in", "a.out", jump, [curve(4, () => 0), reference], at, 0).note).toBe("The input shows no step");
});
