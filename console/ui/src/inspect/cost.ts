// Execution time of each block, from the statistics of the threads.
import type { Statistics } from "../lib/wire";

export interface Cost {
  /** ns, sum over all parts of the block */
  p50: number;
  p99: number;
  /** median divided by the thread's period; undefined in a triggered thread */
  share: number | undefined;
}

/** Returns the costs by block name. */
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

/** Formats a share in percent with about two significant digits. */
export function shareText(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.01) return "< 0.01 %";
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 1 ? percent.toFixed(1) : percent.toFixed(2)} %`;
}
