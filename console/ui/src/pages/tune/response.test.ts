import { expect, test } from "vitest";
import { measure, rmsOf, stepsOf, type Curve } from "./response";

const curve = (end: number, dt: number, f: (t: number) => number): Curve => {
  const t = Array.from({ length: Math.round(end / dt) + 1 }, (_, i) => i * dt);
  return { t, y: t.map(f) };
};

test("a step of a first-order system has the rms and settling time of its closed form", () => {
  const [tau, from, to, dt] = [0.2, 0.3, -0.7, 1e-3];
  const r = curve(4, dt, (t) => (t < 1 ? from : to));
  const y = curve(4, dt, (t) => (t < 1 ? from : to + (from - to) * Math.exp(-(t - 1) / tau)));
  const [step] = stepsOf(r);
  expect(step).toMatchObject({ from, to, end: 4 });
  expect(step?.start).toBeCloseTo(1, 2);
  const m = measure(y, r, 1, 4, step ?? null);
  expect(m.settling).toBeCloseTo(tau * Math.log(50), 2); // e^(−t/τ) = 2 %
  expect(m.overshoot).toBeCloseTo(0, 9);
  expect(m.rms).toBeCloseTo(Math.sqrt(((tau / 2) * (1 - Math.exp((-2 * 3) / tau))) / 3), 2); // ∫e^(−2t/τ) over 3 s
});

test("a step of a second-order system has the overshoot of its closed form and the settling time of Octave", () => {
  const [zeta, wn] = [0.4, 10];
  const wd = wn * Math.sqrt(1 - zeta * zeta);
  const answer = (t: number): number => 1 - Math.exp(-zeta * wn * t) * (Math.cos(wd * t) + (zeta / Math.sqrt(1 - zeta * zeta)) * Math.sin(wd * t));
  const r = curve(4, 1e-3, (t) => (t < 1 ? 0 : 1));
  const y = curve(4, 1e-3, (t) => (t < 1 ? 0 : answer(t - 1)));
  const m = measure(y, r, 1, 4, stepsOf(r)[0] ?? null);
  expect(m.overshoot).toBeCloseTo(100 * Math.exp((-Math.PI * zeta) / Math.sqrt(1 - zeta * zeta)), 1);
  // GNU Octave 7.3: t=0:1e-6:3; max(t(abs(s-1)>0.02)) of the same answer s is 0.840931
  expect(m.settling).toBeCloseTo(0.840931, 2);
});

test("smooth moves between rests are steps, and a sine has none", () => {
  const smooth = (s: number): number => s ** 3 * (10 - 15 * s + 6 * s * s);
  const r = curve(4, 1e-2, (t) => 0.6 * (t < 1 ? 0 : t < 1.7 ? smooth((t - 1) / 0.7) : t < 3 ? 1 : t < 3.7 ? 1 - smooth((t - 3) / 0.7) : 0));
  const steps = stepsOf(r);
  expect(steps.map((s) => [Math.round(s.from * 50) / 50, Math.round(s.to * 50) / 50])).toEqual([
    [0, 0.6],
    [0.6, 0],
  ]);
  expect(steps[0]?.start).toBeCloseTo(1.1, 1);
  expect(steps[0]?.end).toBeCloseTo(3.1, 1);
  expect(stepsOf(curve(5, 1e-2, (t) => Math.sin(6 * t)))).toEqual([]);
  expect(stepsOf(curve(5, 1e-2, () => 3))).toEqual([]);
});

test("a response that does not stay near its end has no settling time", () => {
  const r = curve(2, 1e-2, (t) => (t < 1 ? 0 : 1));
  const y = curve(2, 1e-2, (t) => (t < 1 ? 0 : 1 + 0.5 * Math.sin(9 * t)));
  const m = measure(y, r, 1, 2, stepsOf(r)[0] ?? null);
  expect(m.settling).toBeNull();
  expect(m.overshoot).toBeCloseTo(50, 0);
});

test("without a reference the rms is that of the signal", () => {
  expect(rmsOf({ t: [0, 1], y: [3, -4] }, null)).toBeCloseTo(Math.sqrt(12.5), 12);
  expect(measure({ t: [0, 1], y: [3, -4] }, null, 0, 1, null)).toMatchObject({ overshoot: null, settling: null });
});
