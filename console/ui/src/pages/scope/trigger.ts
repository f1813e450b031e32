// The scope's trigger: finds where a signal crosses a level, and selects the time span to show.

import type { Ring } from "./ring";

export type Edge = "rising" | "falling" | "either";

/**
 * off: the picture rolls. auto: shows edges, and rolls if none was found for three time spans. normal: shows only the last edge.
 * single: stops at the first edge.
 */
export type Mode = "off" | "auto" | "normal" | "single";

export interface TriggerSettings {
  mode: Mode;
  edge: Edge;
  /** In the unit of the signal. */
  level: number;
  /** Distance beyond the level that the signal must have had before a crossing counts, against noise. Not negative. */
  hysteresis: number;
  /** Position of the edge in the time span: 0 is the left end, 1 the right end. */
  position: number;
}

/** The time span to show (s), and the trigger's state. */
export interface Shown {
  from: number;
  to: number;
  /** Time of the edge; null while the picture rolls or waits for the first edge. */
  edge: number | null;
  state: "rolling" | "waiting" | "triggered" | "stopped";
}

/** Finds edges in a ring; reads each sample once. */
export class EdgeFinder {
  private next = 0;
  private seen = -Infinity; // time of the last sample read
  private belowBefore = false;
  private aboveBefore = false;

  /** Restarts the search at the time from. */
  restart(ring: Ring, from: number): void {
    this.next = ring.search(from);
    this.seen = from;
    this.belowBefore = this.aboveBefore = false;
  }

  /** Returns the newest edge (with first: the oldest) among unread samples up to until; null if there is none. */
  find(ring: Ring, settings: TriggerSettings, until: number, first = false): number | null {
    if (ring.newest < this.seen) this.restart(ring, -Infinity); // the system has restarted
    this.next = Math.max(this.next, ring.first);
    let found: number | null = null;
    while (this.next < ring.end && ring.time(this.next) <= until && !(first && found !== null)) {
      if (this.crosses(ring.value(this.next), settings)) found = crossing(ring, this.next, settings.level);
      this.seen = ring.time(this.next);
      this.next++;
    }
    return found;
  }

  private crosses(value: number, { edge, level, hysteresis }: TriggerSettings): boolean {
    if (Number.isNaN(value)) {
      this.belowBefore = this.aboveBefore = false;
      return false;
    }
    const rises = this.belowBefore && value >= level;
    const falls = this.aboveBefore && value <= level;
    if (rises) this.belowBefore = false;
    if (falls) this.aboveBefore = false;
    if (value < level - hysteresis) this.belowBefore = true;
    if (value > level + hysteresis) this.aboveBefore = true;
    return (rises && edge !== "falling") || (falls && edge !== "rising");
  }
}

/** Returns the time at which the line from sample i-1 to sample i crosses the level. */
function crossing(ring: Ring, i: number, level: number): number {
  const [time, value] = [ring.time(i), ring.value(i)];
  if (i === ring.first) return time;
  const [before, valueBefore] = [ring.time(i - 1), ring.value(i - 1)];
  if (Number.isNaN(valueBefore) || value === valueBefore) return time;
  const share = (level - valueBefore) / (value - valueBefore);
  return before + (time - before) * Math.min(1, Math.max(0, share));
}

/** Selects the time span to show for each frame. */
export class Trigger {
  private readonly finder = new EdgeFinder();
  private edge: number | null = null;
  private stopped = false;

  /** Resets the trigger: after a change of settings, signal or time span, and to arm a single trigger again. */
  arm(ring: Ring | null): void {
    this.edge = null;
    this.stopped = false;
    if (ring !== null) this.finder.restart(ring, ring.newest);
  }

  /** Returns the time span to show: window is its length in s, now the time of the newest sample, ring the trigger's signal. */
  show(ring: Ring | null, settings: TriggerSettings, window: number, now: number): Shown {
    const roll = { from: now - window, to: now, edge: null };
    if (settings.mode === "off" || ring === null) return { ...roll, state: "rolling" };
    if (!this.stopped) {
      const after = (1 - settings.position) * window; // time needed after an edge to show it completely
      const found = this.finder.find(ring, settings, now - after, settings.mode === "single");
      if (this.edge !== null && this.edge > now) this.edge = null; // the system has restarted
      if (found !== null) {
        this.edge = found;
        this.stopped = settings.mode === "single";
      }
    }
    const edge = this.edge;
    if (edge === null) return { ...roll, state: "waiting" };
    const shown = { from: edge - settings.position * window, to: edge + (1 - settings.position) * window, edge };
    if (this.stopped) return { ...shown, state: "stopped" };
    if (settings.mode === "auto" && now - edge > Math.max(0.5, 3 * window)) return { ...roll, state: "waiting" };
    return { ...shown, state: "triggered" };
  }
}
