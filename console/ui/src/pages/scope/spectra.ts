// The spectra of the plots that show any: computed when their samples change, one a frame and at most four times a second while
// the picture runs, so that frames stay short.

import type { Range } from "./axes";
import { Polyline } from "./decimate";
import type { Ring } from "./ring";
import { Spectrum } from "./spectrum";

const EVERY = 250; // ms, while the picture runs

interface Slot {
  spectrum: Spectrum;
  /** the spectrum at screen resolution */
  line: Polyline;
  ring: Ring | null;
  end: number;
  from: number;
  to: number;
  at: number;
  drawn: string;
}

/** The part of the picture on which a spectrum depends. */
interface Span {
  from: number;
  to: number;
  held: boolean;
  columns: number;
  now: number;
}

export class SpectrumLines {
  readonly slots = new Map<string, Slot>();
  /** Whether some spectra still wait for their turn. */
  pending = false;
  private free = true; // no spectrum has been computed in this frame

  /** Begins a frame. */
  begin(): void {
    this.free = true;
    this.pending = false;
  }

  /** Returns a spectrum and its line in a band of frequencies. */
  of(key: string, ring: Ring, shown: boolean, band: Range | null, span: Span): Slot {
    let slot = this.slots.get(key);
    if (slot === undefined) this.slots.set(key, (slot = { spectrum: new Spectrum(), line: new Polyline(), ring: null, end: 0, from: 0, to: 0, at: -Infinity, drawn: "" }));
    if (!shown) {
      slot.line.reset();
      slot.ring = null;
      return slot;
    }
    const stale = slot.ring !== ring || slot.end !== ring.end || slot.from !== span.from || slot.to !== span.to;
    const due = stale && (span.held || span.now - slot.at >= EVERY);
    if (due && this.free) {
      this.free = false;
      slot.spectrum.compute(ring, span.from, span.to);
      Object.assign(slot, { ring, end: ring.end, from: span.from, to: span.to, at: span.now, drawn: "" });
    } else if (stale) this.pending = true;
    const { min, max } = band ?? { min: 0, max: slot.spectrum.rate / 2 };
    const drawn = `${min} ${max} ${span.columns}`;
    if (slot.drawn !== drawn) {
      slot.drawn = drawn;
      reduce(slot.spectrum.line, min, max, span.columns, slot.line);
    }
    return slot;
  }
}

/** Reduces a spectrum to the greatest amplitude of each pixel column between two frequencies. */
export function reduce(all: Polyline, from: number, to: number, columns: number, line: Polyline): void {
  line.reset();
  const last = all.length - 1;
  const step = (all.xs[last] ?? 0) / last;
  if (!(step > 0) || !(to > from)) return;
  const begin = Math.max(0, Math.floor(from / step));
  const end = Math.min(last, Math.ceil(to / step));
  const width = Math.max(step, (to - from) / columns);
  let edge = from;
  for (let k = begin, top = begin; k <= end; k++) {
    if ((all.ys[k] as number) > (all.ys[top] as number)) top = k;
    if ((all.xs[k] as number) < edge && k < end) continue;
    line.add(all.xs[top] as number, all.ys[top] as number);
    edge += width;
    top = k + 1;
  }
}
