// The frequency response of a system from its input and output, by Welch's method: averaged spectra of overlapping segments.
import { FFT } from "../../lib/fft";

/** A frequency response. */
export interface Bode {
  /** Hz */
  f: number[];
  /** dB */
  magnitude: number[];
  /** degrees, without jumps */
  phase: number[];
  /** 0 to 1: the part of the output's power that the input explains */
  coherence: number[];
}

/** Spectra of input u and output y: power of each, and real and imaginary part of conj(U)·Y, by bin. */
export interface Spectra {
  f: number[];
  uu: number[];
  yy: number[];
  re: number[];
  im: number[];
  /** segments in which no sample is missing, of all */
  used: number;
  segments: number;
}

/** Returns the largest power of two that gives at least four segments without overlap. */
export function segmentOf(samples: number): number {
  return 2 ** Math.max(4, Math.floor(Math.log2(samples / 4)));
}

/**
 * Returns the averaged spectra of segments of a length, a power of two, that overlap by half: each without its mean, with a Hann
 * window. dt is the time between samples in s. Segments with a NaN, where samples were lost, are left out.
 */
export function welch(u: readonly number[], y: readonly number[], dt: number, length: number): Spectra {
  const bins = length / 2 + 1;
  const zeros = (): number[] => new Array<number>(bins).fill(0);
  const s: Spectra = { f: zeros().map((_, k) => k / (length * dt)), uu: zeros(), yy: zeros(), re: zeros(), im: zeros(), used: 0, segments: 0 };
  const fft = new FFT(length);
  const add = (list: number[], k: number, v: number): void => void (list[k] = (list[k] ?? 0) + v);
  for (let at = 0; at + length <= Math.min(u.length, y.length); at += length / 2) {
    s.segments++;
    const [ure, uim] = transformed(fft, u.slice(at, at + length));
    const [yre, yim] = transformed(fft, y.slice(at, at + length));
    if (Number.isNaN(ure[0]) || Number.isNaN(yre[0])) continue;
    s.used++;
    for (let k = 0; k < bins; k++) {
      const [a, b, c, d] = [ure[k] ?? 0, uim[k] ?? 0, yre[k] ?? 0, yim[k] ?? 0];
      add(s.uu, k, a * a + b * b);
      add(s.yy, k, c * c + d * d);
      add(s.re, k, a * c + b * d);
      add(s.im, k, a * d - b * c);
    }
  }
  return s;
}

function transformed(fft: FFT, part: readonly number[]): [Float64Array, Float64Array] {
  const n = part.length;
  const mean = part.reduce((m, v) => m + v / n, 0);
  const re = Float64Array.from(part, (v, i) => (v - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n)));
  const im = new Float64Array(n);
  fft.transform(re, im);
  return [re, im];
}

const perDecade = 24; // points drawn

/** Returns the response between two frequencies. Where bins are dense, their spectra are averaged, 24 points a decade. */
export function bodeOf(s: Spectra, from: number, to: number): Bode {
  const bode: Bode = { f: [], magnitude: [], phase: [], coherence: [] };
  let last = 0;
  for (let k = 1; k < s.f.length; ) {
    const first = s.f[k] ?? 0;
    let [n, f, uu, yy, re, im] = [0, 0, 0, 0, 0, 0];
    for (; k < s.f.length && (n === 0 || (s.f[k] ?? 0) < first * 10 ** (1 / perDecade)); k++, n++) {
      f += s.f[k] ?? 0;
      uu += s.uu[k] ?? 0;
      yy += s.yy[k] ?? 0;
      re += s.re[k] ?? 0;
      im += s.im[k] ?? 0;
    }
    f /= n;
    if (f < from * 0.999 || f > to * 1.001 || uu === 0) continue;
    let phase = (Math.atan2(im, re) * 180) / Math.PI;
    if (bode.f.length > 0) phase += 360 * Math.round((last - phase) / 360);
    last = phase;
    bode.f.push(f);
    bode.magnitude.push(20 * Math.log10(Math.hypot(re, im) / uu));
    bode.phase.push(phase);
    bode.coherence.push(yy === 0 ? 0 : (re * re + im * im) / (uu * yy));
  }
  return bode;
}

const gap = 10; // longest time between samples that is interpolated, in steps of the grid

/** Returns the samples of a curve on a grid of times, interpolated; NaN in gaps of more than ten steps. */
export function resample(t: readonly number[], y: readonly number[], from: number, dt: number, n: number): number[] {
  let i = 0;
  return Array.from({ length: n }, (_, k) => {
    const at = from + k * dt;
    while (i + 1 < t.length && (t[i + 1] ?? Infinity) <= at + dt * 1e-6) i++;
    const [t0, t1, a, b] = [t[i] ?? 0, t[i + 1], y[i] ?? NaN, y[i + 1]];
    if (t1 === undefined || b === undefined || at <= t0) return a;
    return t1 - t0 > gap * dt ? NaN : a + ((b - a) * (at - t0)) / (t1 - t0);
  });
}
