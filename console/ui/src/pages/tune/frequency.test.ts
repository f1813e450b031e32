import { expect, test } from "vitest";
import { bodeOf, resample, segmentOf, welch } from "./frequency";

// GNU Octave 7.3, with its own fft and filter:
//   N=256; n=0:N-1; u=sin(0.0007*n.^2)+0.3*cos(1.1*n); y=filter(0.2,[1 -0.8],u)+0.05*sin(2.3*n.^1.5);
//   L=64; w=0.5-0.5*cos(2*pi*(0:L-1)/L); uu=0; yy=0; uy=0;
//   for a=0:L/2:N-L, U=fft((u(a+1:a+L)-mean(u(a+1:a+L))).*w); Y=fft((y(a+1:a+L)-mean(y(a+1:a+L))).*w); uu+=abs(U).^2; yy+=abs(Y).^2; uy+=conj(U).*Y; end
// bin, 20*log10(abs(uy/uu)), angle(uy)*180/pi, abs(uy)^2/(uu*yy)
const octave = [
  [1, -1.243544445, -24.338966698, 0.973488359],
  [2, -2.464433606, -34.458059383, 0.971155057],
  [5, -6.431797337, -26.239162936, 0.541300019],
  [11, -13.618051508, -54.253344038, 0.974942638],
  [20, 26.663467687, 125.2393264, 0.033820941],
] as const;

test("magnitude, phase and coherence are those of Octave", () => {
  const n = Array.from({ length: 256 }, (_, i) => i);
  const u = n.map((i) => Math.sin(0.0007 * i * i) + 0.3 * Math.cos(1.1 * i));
  let state = 0;
  const y = u.map((v, i) => (state = 0.8 * state + 0.2 * v) + 0.05 * Math.sin(2.3 * i ** 1.5));
  const s = welch(u, y, 0.01, 64);
  for (const [k, magnitude, phase, coherence] of octave) {
    const [uu, yy, re, im] = [s.uu[k] ?? 0, s.yy[k] ?? 0, s.re[k] ?? 0, s.im[k] ?? 0];
    expect(20 * Math.log10(Math.hypot(re, im) / uu)).toBeCloseTo(magnitude, 6);
    expect((Math.atan2(im, re) * 180) / Math.PI).toBeCloseTo(phase, 6);
    expect((re * re + im * im) / (uu * yy)).toBeCloseTo(coherence, 7);
  }
});

test("noise through a sampled first-order system gives the response of its closed form", () => {
  let seed = 12345;
  const u = Array.from({ length: 16384 }, () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5);
  const [dt, gain, a] = [1e-3, 3, 0.1];
  let state = 0;
  const y = u.map((v) => (state += a * (gain * v - state)));
  const bode = bodeOf(welch(u, y, dt, segmentOf(u.length)), 1, 400);
  expect(bode.f.length).toBeGreaterThan(40);
  for (const [i, f] of bode.f.entries()) {
    const w = 2 * Math.PI * f * dt; // H = gain·a / (1 − (1 − a) e^(−jw))
    const [re, im] = [1 - (1 - a) * Math.cos(w), (1 - a) * Math.sin(w)];
    expect(bode.magnitude[i]).toBeCloseTo(20 * Math.log10((gain * a) / Math.hypot(re, im)), 0);
    expect(Math.abs((bode.phase[i] ?? 0) + (Math.atan2(im, re) * 180) / Math.PI)).toBeLessThan(4);
    expect(bode.coherence[i]).toBeGreaterThan(0.98);
  }
});

test("the phase of a delay has no jumps", () => {
  let seed = 99;
  const u = Array.from({ length: 8192 }, () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5);
  const bode = bodeOf(welch(u, u.map((_, i) => u[i - 8] ?? 0), 1e-3, 1024), 2, 450);
  expect(bode.phase.at(-1)).toBeCloseTo(-360 * (bode.f.at(-1) ?? 0) * 8e-3, -1);
});

test("curves are interpolated on a grid", () => {
  expect(resample([0, 1, 3], [0, 2, 6], 0, 0.5, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("segments in which samples were lost are left out", () => {
  const t = Array.from({ length: 2000 }, (_, i) => i * 1e-3).filter((x) => x < 0.7 || x > 0.75);
  const u = t.map((x) => Math.sin(40 * x) + Math.sin(300 * x * x));
  const late = t.filter((x) => x < 1.2 || x > 1.3);
  const s = welch(resample(t, u, 0, 1e-3, 2000), resample(late, late.map((x) => 3 * (Math.sin(40 * x) + Math.sin(300 * x * x))), 0, 1e-3, 2000), 1e-3, 256);
  expect([s.used, s.segments]).toEqual([9, 14]);
  for (const magnitude of bodeOf(s, 4, 50).magnitude) expect(magnitude).toBeCloseTo(20 * Math.log10(3), 9);
});
