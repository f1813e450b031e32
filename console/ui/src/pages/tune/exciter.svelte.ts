// Excites a port, records input and output meanwhile, and derives the response. One runs at a time, also while other pages are shown.
import type { App } from "../../lib/app.svelte";
import type { Watch } from "../../lib/client";
import { messageOf } from "../../lib/errors";
import type { Excitation } from "../../lib/excitation";
import type { Value } from "../../lib/wire";
import { signalsOf, splitName, toWatch } from "../scope/signals";
import { between, measure, stepsOf, type Curve, type Measures } from "./response";
import { bodeOf, resample, segmentOf, welch, type Bode } from "./frequency";

export interface Result {
  input: string;
  output: string;
  excitation: Excitation;
  /** times in s after the beginning */
  curves: { input: Curve; output: Curve };
  /** of a sweep or noise */
  bode: Bode | null;
  /** of a step */
  step: Measures | null;
  /** what limits the result; "" for nothing */
  note: string;
}

const rate = 20; // frames a second
const lease = 1; // s; the thread releases the input when the page does not renew within it
const renewal = 300; // ms
const settle = 400; // ms, before and after the waveform

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export class Exciter {
  /** The input that is being excited; "" if none is. */
  running = $state("");
  /** Seconds of the waveform that have passed. */
  passed = $state(0);
  problem = $state("");
  result = $state.raw<Result | null>(null);
  private stopped = false;

  constructor(private readonly app: App) {}

  /** Excites an input, and shows how the output answers. */
  async start(input: string, output: string, excitation: Excitation): Promise<void> {
    if (this.running !== "") return;
    const { client, system } = this.app;
    [this.running, this.passed, this.problem, this.stopped] = [input, 0, "", false];
    const record: [Curve, Curve] = [
      { t: [], y: [] },
      { t: [], y: [] },
    ];
    let lost = 0;
    const ports = new Map(signalsOf(this.app.running.structure).map((s) => [s.ref, s]));
    const watched = [input, output].map((s) => splitName(s, ports)).map(({ ref, path }) => toWatch(ref, path));
    const number = (v: Value): number => Number(Array.isArray(v) ? v[0] : v);
    let watch: Watch | undefined;
    try {
      watch = client.watch(
        system,
        watched,
        rate,
        (f) => {
          lost = Math.max(lost, f.lost);
          for (const [i, times, values] of f.s) {
            record[i as 0 | 1].t.push(...times.map((t) => t * 1e-9));
            record[i as 0 | 1].y.push(...values.map(number));
          }
        },
        (e) => ([this.problem, this.stopped] = [e.message, true]),
      );
      await pause(settle);
      const begin = performance.now();
      await client.request("excite", { system, ref: input, excitation, for_s: lease });
      const at = record[1].t.at(-1) ?? 0;
      for (let runs = true; runs && !this.stopped; ) {
        await pause(renewal);
        this.passed = Math.min(excitation.duration_s, (performance.now() - begin) / 1000);
        runs = await client.request("excite", { system, ref: input, for_s: lease });
      }
      if (!this.stopped) {
        await pause(settle);
        this.result = resultOf(input, output, excitation, record, at, lost);
      }
    } catch (e) {
      this.problem = messageOf(e);
    } finally {
      watch?.stop();
      this.running = "";
    }
  }

  /** Ends the excitation; the input reads its link again. */
  async stop(): Promise<void> {
    const input = this.running;
    this.stopped = true;
    if (input !== "") await this.app.attempt(() => this.app.client.request("release", { system: this.app.system, ref: input }), `${input} released`);
  }
}

/** Derives a result from samples; the waveform began shortly after the time `at`. */
export function resultOf(input: string, output: string, excitation: Excitation, [u, y]: readonly [Curve, Curve], at: number, lost: number): Result {
  const end = at + excitation.duration_s;
  const shift = (c: Curve): Curve => {
    const part = between(c, at - 0.2, end + 0.2);
    return { t: part.t.map((t) => t - at), y: part.y };
  };
  const result: Result = { input, output, excitation, curves: { input: shift(u), output: shift(y) }, bode: null, step: null, note: lost > 0 ? `${lost} samples were lost: the result is less exact` : "" };
  if (u.t.length < 2 || y.t.length < 2) return { ...result, note: `${u.t.length < 2 ? input : output} has had no new values: its block did not run` };
  if (excitation.shape === "step") {
    const step = stepsOf(between(u, at, end - 0.1))[0] ?? null;
    if (step === null) return { ...result, note: "The input shows no step" };
    const [first, last] = [between(y, at, step.start).y.at(-1) ?? 0, between(y, at, end - 0.1).y.at(-1) ?? 0];
    return { ...result, step: { ...measure(y, u, step.start, step.end, { ...step, from: first, to: last }) } };
  }
  const gaps = y.t.slice(1).map((t, i) => t - (y.t[i] ?? 0)).sort((a, b) => a - b);
  const dt = gaps[gaps.length >> 1] ?? 0;
  const n = Math.floor((end - at - 0.1) / dt);
  const [low, high] = [excitation.shape === "sweep" ? (excitation.from_hz ?? 0) : 0, Math.min(excitation.to_hz ?? Infinity, 0.5 / dt)];
  if (n < 64) return { ...result, note: `${n} samples are too few for a frequency response: at least 64` };
  const spectra = welch(resample(u.t, u.y, at, dt, n), resample(y.t, y.y, at, dt, n), dt, segmentOf(n));
  const { used, segments } = spectra;
  if (used === 0) return { ...result, note: `Samples were lost in each of ${segments} parts of the record: there is no frequency response` };
  if (used < segments) result.note = `${segments - used} of ${segments} parts of the record were left out, because samples were lost in them`;
  return { ...result, bode: bodeOf(spectra, low, high) };
}
