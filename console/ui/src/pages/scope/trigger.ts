// The trigger of the scope: it finds the moment at which a signal crosses a level, and decides which span of time is shown.

import type { Ring } from "./ring";

export type Edge = "rising" | "falling" | "either";

/**
 * off: the picture rolls. auto: waits for an edge, and rolls when none came for two windows. normal: shows the last edge
 * and nothing else. single: stops at the first edge.
 */
export type Mode = "off" | "auto" | "normal" | "single";

export interface TriggerSettings {
  mode: Mode;
  edge: Edge;
  /** In the unit of the signal. */
  level: number;
  /** So far beyond the level the signal must have been before it crosses: noise does not trigger. Not negative. */
  hysteresis: number;
  /** Where in the window the edge lies: 0 is its left end, 1 its right one. */
  position: number;
}

/** Which span of time to show (s), and why. */
export interface Shown {
  from: number;
  to: number;
  /** Time of the edge; null when the picture rolls or waits for a first one. */
  edge: number | null;
  state: "rolling" | "waiting" | "triggered" | "stopped";
}

/** Finds edges in a ring; looks at each sample once. */
export class EdgeFinder {
  private next = 0;
  private seen = -Infinity; // time of the last sample that was looked at
  private belowBefore = false;
  private aboveBefore = false;

  /** Forgets what it saw, and looks at nothing before the time from. */
  restart(ring: Ring, from: number): void {
    this.next = ring.search(from);
    this.seen = from;
    this.belowBefore = this.aboveBefore = false;
  }

  /** The newest edge among the samples not yet seen and not after until (the oldest with first); null where there is none. */
  find(ring: Ring, settings: TriggerSettings, until: number, first = false): number | null {
    if (ring.newest < this.seen) this.restart(ring, -Infinity); // the system started anew
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

/** Time at which the line from the sample before i to sample i meets the level. */
function crossing(ring: Ring, i: number, level: number): number {
  const [time, value] = [ring.time(i), ring.value(i)];
  if (i === ring.first) return time;
  const [before, valueBefore] = [ring.time(i - 1), ring.value(i - 1)];
  if (Number.isNaN(valueBefore) || value === valueBefore) return time;
  const share = (level - valueBefore) / (value - valueBefore);
  return before + (time - before) * Math.min(1, Math.max(0, share));
}

/** Decides frame by frame what is shown. */
export class Trigger {
  private readonly finder = new EdgeFinder();
  private edge: number | null = null;
  private stopped = false;

  /** Begins anew: after a change of settings, of the signal or of the window, and to arm a single trigger again. */
  arm(ring: Ring | null): void {
    this.edge = null;
    this.stopped = false;
    if (ring !== null) this.finder.restart(ring, ring.newest);
  }

  /** The span to show: window seconds, the newest sample of all signals at now. ring is that of the trigger's signal. */
  show(ring: Ring | null, settings: TriggerSettings, window: number, now: number): Shown {
    const roll = { from: now - window, to: now, edge: null };
    if (settings.mode === "off" || ring === null) return { ...roll, state: "rolling" };
    if (!this.stopped) {
      const after = (1 - settings.position) * window; // what must be there before an edge can be shown whole
      const found = this.finder.find(ring, settings, now - after, settings.mode === "single");
      if (this.edge !== null && this.edge > now) this.edge = null; // the system started anew
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
