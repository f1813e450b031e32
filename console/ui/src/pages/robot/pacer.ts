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

/** How a picture is drawn. */
export type Quality = "nothing" | "rough" | "fine";

export class FramePacer {
  private roughness = 0; // index of shares
  private changed = 0; // time of the last drawn change
  private unchanged = 0; // frames since
  private lastDue = 0; // start of the last frame in which a change could be drawn
  private rough = false; // quality of the last picture
  private hurried = false; // a user has waited for pictures since the last fine one
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

  /** Returns the share of the resolution at which to draw a picture: the least while a user waits for rough ones. */
  shareOf(how: "rough" | "fine"): number {
    return how === "fine" ? 1 : (shares[this.hurried ? shares.length - 1 : this.roughness] ?? 1);
  }

  /** Decides at the start of a frame what to draw; changed reports whether the scene has changed, urgent whether a user waits for it. */
  next(now: number, changed: boolean, urgent = false): Quality {
    if (!this.ready(now)) return "nothing";
    if (changed) {
      return this.slow && !urgent && !isDue(now, this.lastDue) ? "nothing" : this.change(now, urgent);
    }
    if (!this.rough || ++this.unchanged < CALM || now - this.changed < STILL) return "nothing";
    this.rough = this.hurried = false;
    return "fine";
  }

  /** Decides how to draw a picture that a user waits for without waiting for a frame: where drawing is slow, one between two frames. */
  atOnce(now: number): Quality {
    if (now < this.pauseUntil || (this.slow ? this.betweenFrames >= this.last : now - this.betweenFrames < OFTEN)) return "nothing";
    this.betweenFrames = now;
    return this.change(now, true);
  }

  private change(now: number, urgent: boolean): "rough" | "fine" {
    this.changed = this.lastDue = now;
    this.unchanged = 0;
    this.hurried ||= urgent;
    this.rough = this.slow;
    return this.rough ? "rough" : "fine";
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

  /** Records that a picture was drawn. */
  drawn(): void {
    this.drew = true;
  }
}
