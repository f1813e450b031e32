import { describe, expect, it } from "vitest";
import { Ring } from "./ring";
import { gridOf, Spectrum } from "./spectrum";

/** Returns a ring with n samples of f at a rate in Hz, without those skipped. */
function sampled(n: number, rate: number, f: (t: number) => number, skip: readonly number[] = []): Ring {
  const ring = new Ring();
  for (let k = 0; k < n; k++) if (!skip.includes(k)) ring.push(10 + k / rate, f(k / rate));
  return ring;
}

function spectrum(ring: Ring): Spectrum {
  const s = new Spectrum();
  s.compute(ring, 0, 1000);
  return s;
}

describe("Spectrum", () => {
  // GNU Octave 7.3.0: n = 500; fs = 250; t = (0:n-1)'/fs; x = 1.5*sin(2*pi*7.3*t+0.4) + 0.25*cos(2*pi*40*t) + 3;
  // w = 0.5-0.5*cos(2*pi*(0:n-1)'/n); a = 2*abs(fft((x-mean(x)).*w, 2048))/sum(w); a(1) /= 2; printf("[%d, %.12g]", b, a(b+1))
  const octave: [number, number][] = [
    [0, 0.025415987969],
    [10, 0.00122415711113],
    [58, 1.32195374326],
    [60, 1.49773718232],
    [61, 1.41900361985],
    [100, 0.000282635144481],
    [328, 0.249018387141],
    [700, 1.1454881137e-7],
  ];
  const two = (t: number): number => 1.5 * Math.sin(2 * Math.PI * 7.3 * t + 0.4) + 0.25 * Math.cos(2 * Math.PI * 40 * t) + 3;

  it("agrees with Octave", () => {
    const { line, problem } = spectrum(sampled(500, 250, two));
    expect(problem).toBe("");
    expect(line.length).toBe(1025);
    expect(line.xs[1024]).toBeCloseTo(125, 9);
    for (const [bin, amplitude] of octave) expect(line.ys[bin], `bin ${bin}`).toBeCloseTo(amplitude, 9);
  });

  it("finds frequency and amplitude of a sine between two bins", () => {
    for (const frequency of [7.3, 12.345, 50, 99.9]) {
      const { peak, rate } = spectrum(sampled(2000, 250, (t) => 0.7 * Math.sin(2 * Math.PI * frequency * t) - 12));
      expect(rate).toBeCloseTo(250, 6);
      expect(peak?.frequency).toBeCloseTo(frequency, 3);
      expect(Math.abs((peak?.amplitude ?? 0) / 0.7 - 1)).toBeLessThan(1e-3);
    }
  });

  it("interpolates single missing samples and counts them", () => {
    const s = spectrum(sampled(1000, 250, two, [100, 500]));
    expect([s.problem, s.missing]).toEqual(["", 2]);
    expect(s.peak?.frequency).toBeCloseTo(7.3, 2);
    expect(Math.abs((s.peak?.amplitude ?? 0) / 1.5 - 1)).toBeLessThan(0.01);
  });

  it("explains why a signal has none", () => {
    const reasons: [string, Ring, RegExp][] = [
      ["empty", new Ring(), /no samples/],
      ["short", sampled(5, 250, two), /only 5 samples/],
      ["half of the samples missing", sampled(200, 250, two, Array.from({ length: 40 }, (_, i) => 4 * i + 3)), /40 of 200 are missing/],
      ["not finite", sampled(100, 250, (t) => (t > 0.1 ? NaN : 1)), /not finite/],
    ];
    const uneven = new Ring();
    for (let k = 0; k < 100; k++) uneven.push(k + 0.3 * Math.sin(k * k), 1);
    reasons.push(["uneven", uneven, /no regular rate/]);
    const broken = sampled(100, 250, two);
    broken.breakLine();
    broken.push(20, 1);
    reasons.push(["interrupted", broken, /interrupted|no regular rate/]);
    for (const [name, ring, reason] of reasons) {
      const s = spectrum(ring);
      expect(s.problem, name).toMatch(reason);
      expect([s.line.length, s.peak, s.rate], name).toEqual([0, null, 0]);
    }
  });

  it("has no peak for a constant", () => {
    expect(spectrum(sampled(100, 250, () => 5)).peak).toBeNull();
  });
});

describe("gridOf", () => {
  it("tolerates small deviations of sample times", () => {
    const ring = new Ring();
    for (let k = 0; k < 1000; k++) ring.push(k * 1e-3 + 3e-5 * Math.sin(k), 0);
    expect(gridOf(ring, 0, 1000)).toMatchObject({ length: 1000, missing: 0 });
  });
});
