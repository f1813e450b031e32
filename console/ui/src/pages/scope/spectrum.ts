// The amplitude spectrum of a time span of a signal: of its samples without their mean, with a Hann window, and scaled so that
// a sine of amplitude A has a peak of height A.

import { formatDuration } from "./axes";
import { Polyline } from "./decimate";
import { FFT } from "../../lib/fft";
import type { Ring } from "./ring";

const LEAST = 16; // samples
const MOST_MISSING = 0.05; // share of samples that may be missing, by slips of a thread; they are interpolated
const OFF = 0.1; // greatest distance of a sample from the regular grid, in periods
const PADDING = 4; // bins per sample at least, so that a peak between two bins loses at most 1.5 % of its height

/** A regular grid of sample times. */
export interface Grid {
  begin: number;
  /** number of times, missing samples included */
  length: number;
  /** Hz */
  rate: number;
  missing: number;
}

/** Returns the regular grid of the samples begin to end-1 of a ring, or why there is none. */
export function gridOf(ring: Ring, begin: number, end: number): Grid | string {
  const count = end - begin;
  if (count < LEAST) return count === 0 ? "no samples in this span" : `only ${count} samples in this span; at least ${LEAST} are needed`;
  const some = Array.from({ length: Math.min(101, count - 1) }, (_, i) => ring.time(begin + i + 1) - ring.time(begin + i)).sort((a, b) => a - b);
  const about = some[some.length >> 1] ?? 0;
  const start = ring.time(begin);
  let length = 1;
  for (let i = begin + 1; i < end; i++) length += Math.round((ring.time(i) - ring.time(i - 1)) / about);
  if (!(about > 0) || length > 4 * count) return "samples have no regular rate";
  const period = (ring.time(end - 1) - start) / (length - 1);
  for (let i = begin, last = -1; i < end; i++) {
    if (Number.isNaN(ring.value(i))) return ring.isBreak(i) ? "recording was interrupted in this span" : "a value is not finite in this span";
    const place = (ring.time(i) - start) / period;
    const at = Math.round(place);
    if (Math.abs(place - at) > OFF || at === last) return `samples have no regular rate: times differ by more than ${OFF * 100} % from a period of ${formatDuration(period)}`;
    last = at;
  }
  const missing = length - count;
  if (missing > MOST_MISSING * length) return `samples have no regular rate: ${missing} of ${length} are missing`;
  return { begin, length, rate: 1 / period, missing };
}

/** The spectrum of one signal; its arrays are reused. */
export class Spectrum {
  /** Amplitudes over frequencies in Hz, from 0 to half the sampling rate. */
  readonly line = new Polyline();
  /** Why there is no spectrum; "" if there is one. */
  problem = "";
  /** Hz; 0 if there is no spectrum. */
  rate = 0;
  /** Samples that were missing and are interpolated. */
  missing = 0;
  /** The greatest amplitude and its frequency, interpolated between bins; null without a spectrum. */
  peak: { frequency: number; amplitude: number } | null = null;

  private fft = new FFT(2);
  private re = new Float64Array(2);
  private im = new Float64Array(2);

  /** Computes the spectrum of the samples of ring in [from, to] seconds. */
  compute(ring: Ring, from: number, to: number): void {
    this.line.reset();
    this.peak = null;
    const grid = gridOf(ring, ring.search(from), ring.search(to));
    this.problem = typeof grid === "string" ? grid : "";
    this.rate = typeof grid === "string" ? 0 : grid.rate;
    this.missing = typeof grid === "string" ? 0 : grid.missing;
    if (typeof grid === "string") return;
    this.resize(grid.length);
    const weight = this.window(ring, grid);
    this.fft.transform(this.re, this.im);
    const bins = this.re.length / 2;
    const amplitude = (k: number): number => (2 * Math.hypot(this.re[k] as number, this.im[k] as number)) / weight;
    let top = 0;
    for (let k = 0; k <= bins; k++) {
      this.line.add((k * grid.rate) / this.re.length, k === 0 || k === bins ? amplitude(k) / 2 : amplitude(k));
      if (k > 0 && k < bins && (this.line.ys[k] as number) > (this.line.ys[top] as number)) top = k;
    }
    this.peak = peakAt(this.line, top, bins, grid.rate / this.re.length);
  }

  private resize(length: number): void {
    const size = 1 << Math.ceil(Math.log2(PADDING * length));
    if (size !== this.re.length) [this.fft, this.re, this.im] = [new FFT(size), new Float64Array(size), new Float64Array(size)];
    else {
      this.re.fill(0);
      this.im.fill(0);
    }
  }

  /** Writes the windowed samples on the grid, and returns the sum of the window. */
  private window(ring: Ring, { begin, length, rate }: Grid): number {
    const { re } = this;
    const start = ring.time(begin);
    let sum = 0;
    for (let k = 0, i = begin; k < length; k++) {
      const place = (ring.time(i) - start) * rate;
      if (Math.round(place) <= k) re[k] = ring.value(i++);
      else re[k] = (re[k - 1] as number) + (ring.value(i) - (re[k - 1] as number)) / (Math.round(place) - k + 1);
      sum += re[k] as number;
    }
    const mean = sum / length;
    let weight = 0;
    for (let k = 0; k < length; k++) {
      const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / length);
      re[k] = ((re[k] as number) - mean) * w;
      weight += w;
    }
    return weight;
  }
}

/** Returns the top of the parabola through a bin and its neighbours, on a logarithmic scale. */
function peakAt({ ys }: Polyline, k: number, bins: number, step: number): { frequency: number; amplitude: number } | null {
  const [before, at, after] = [ys[k - 1] ?? 0, ys[k] ?? 0, ys[k + 1] ?? 0];
  if (k === 0 || at === 0) return null;
  if (k === bins || !(before > 0 && after > 0)) return { frequency: k * step, amplitude: at };
  const [a, b, c] = [Math.log(before), Math.log(at), Math.log(after)];
  const bend = a - 2 * b + c;
  const shift = bend < 0 ? (a - c) / (2 * bend) : 0;
  return { frequency: (k + shift) * step, amplitude: Math.exp(b - ((a - c) * shift) / 4) };
}
