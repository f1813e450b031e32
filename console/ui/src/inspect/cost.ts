// What each block costs, as the threads' statistics tell.
import type { Statistics } from "../lib/wire";

export interface Cost {
  /** ns, all parts of the block together */
  p50: number;
  p99: number;
  /** of its thread's period, by the median; undefined in a triggered thread */
  share: number | undefined;
}

/** Costs by the name of the block. */
export function costs(s: Statistics | null): Map<string, Cost> {
  const all = new Map<string, Cost>();
  for (const t of s?.threads ?? []) {
    for (const step of t.steps ?? []) {
      const c = all.get(step.block) ?? { p50: 0, p99: 0, share: undefined };
      c.p50 += step.p50_ns;
      c.p99 += step.p99_ns;
      c.share = t.period_s > 0 ? c.p50 / (t.period_s * 1e9) : undefined;
      all.set(step.block, c);
    }
  }
  return all;
}

/** A share as text: in percent, with two digits that say something. */
export function shareText(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.01) return "< 0.01 %";
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 1 ? percent.toFixed(1) : percent.toFixed(2)} %`;
}
