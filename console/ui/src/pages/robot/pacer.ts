// Frame pacing: when drawing is slow, draws less finely and then less often, so that half of the time remains for the rest of the page.

import { isDue } from "../../lib/framerate";

const EASY = 60; // ms; a longer frame is followed by a pause
const SLOW = 100; // ms; a longer frame counts as slow while pictures are drawn finely
const STILL = 400; // ms without a change until a rough picture is drawn finely
const CALM = 12; // frames without a change until then: on a busy machine changes come late
const OFTEN = 8; // ms between pictures that do not wait for a frame, at least
const MANY = 8; // slow frames, roughly consecutive, until pictures in motion become rougher

/** Shares of the resolution at which pictures in motion are drawn, finest first. */
const shares = [1, 0.75, 0.5] as const;

export class FramePacer {
  private roughness = 0; // index of shares
  private changed = 0; // time of the last drawn change
  private unchanged = 0; // frames since
  private lastDue = 0; // start of the last frame in which a change could be drawn
  private rough = false; // quality of the last picture
  private last = 0; // start of the last frame
  private pauseUntil = 0;
  private betweenFrames = -Infinity; // time of the last picture that did not wait for one
  private drew = false;
  private count = 0;

  /** slow: drawing is known to be slow, as without a graphics card. */
  constructor(slow = false) {
    if (slow) this.roughness = 1;
  }

  /** Whether drawing is slow. */
  get slow(): boolean {
    return this.roughness > 0;
  }

  /** Returns the share of the resolution at which to draw a picture. */
  shareOf(how: "rough" | "fine"): number {
    return how === "fine" ? 1 : (shares[this.roughness] ?? 1);
  }

  /** Decides at the start of a frame what to draw; changed reports whether the scene has changed, urgent whether a user waits for it. */
  next(now: number, changed: boolean, urgent = false): "nothing" | "rough" | "fine" {
    if (!this.ready(now)) return "nothing";
    if (changed) {
      if (this.slow && !urgent && !isDue(now, this.lastDue)) return "nothing";
      this.changed = this.lastDue = now;
      this.unchanged = 0;
      this.rough = this.slow;
      return this.rough ? "rough" : "fine";
    }
    if (!this.rough || ++this.unchanged < CALM || now - this.changed < STILL) return "nothing";
    this.rough = false;
    return "fine";
  }

  /** Reports whether a picture that a user waits for is drawn without waiting for a frame. */
  atOnce(now: number): boolean {
    if (this.slow || now - this.betweenFrames < OFTEN) return false;
    this.betweenFrames = now;
    return true;
  }

  /** Reports whether this frame may draw. The delay of the frame measures the cost of the previous one. */
  private ready(now: number): boolean {
    const cost = now - this.last;
    this.last = now;
    if (this.drew) {
      this.drew = false;
      this.pauseUntil = cost > EASY ? now + cost : 0;
      this.count = cost > (this.slow ? EASY : SLOW) ? this.count + 1 : Math.max(0, this.count - 1);
      if (this.count >= MANY && this.roughness < shares.length - 1) [this.roughness, this.count] = [this.roughness + 1, 0];
    }
    return now >= this.pauseUntil;
  }

  /** Records that this frame was drawn. */
  drawn(): void {
    this.drew = true;
  }
}
