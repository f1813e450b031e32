// Lines and ticks of a chart.

/** A curve of a chart; colour is the name of a CSS variable. */
export interface Line {
  name: string;
  colour: string;
  x: number[];
  y: number[];
  dashed?: boolean;
}

const resolution = 1e-9; // of a value: less is rounding

/** Reports whether the values between two differ only by rounding. */
export function isConstant(lo: number, hi: number): boolean {
  return hi - lo <= resolution * Math.max(Math.abs(lo), Math.abs(hi));
}

/** Returns different round values between two, about as many as wanted; of a logarithmic axis 1, 2 and 5 of each decade, or only 1. */
export function ticksOf([lo, hi]: [number, number], log: boolean, wanted: number): number[] {
  if (!Number.isFinite(hi - lo)) return [];
  if (hi < lo || isConstant(lo, hi)) return [lo];
  if (log) {
    const decades = Math.log10(hi / lo);
    const list: number[] = [];
    for (let e = Math.floor(Math.log10(lo)); e <= Math.log10(hi); e++) for (const m of decades * 3 > wanted ? [1] : [1, 2, 5]) list.push(Number((m * 10 ** e).toPrecision(6)));
    return list.filter((v) => v >= lo * 0.999 && v <= hi * 1.001);
  }
  const rough = (hi - lo) / Math.max(2, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((m) => m * power >= rough) ?? 10) * power;
  const list: number[] = [];
  for (let k = Math.ceil(lo / step); k * step <= hi; k++) list.push(Number((k * step).toPrecision(12)));
  return list;
}

/** Returns every nth point of a curve, at most as many as given, so that it is quick to draw. */
export function thinned(x: readonly number[], y: readonly number[], most = 1_000): { x: number[]; y: number[] } {
  const n = Math.max(1, Math.ceil(x.length / most));
  const kept = (list: readonly number[]): number[] => list.filter((_, i) => i % n === 0);
  return { x: kept(x), y: kept(y) };
}
