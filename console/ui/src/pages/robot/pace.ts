// How often, and how finely, the picture is drawn where drawing takes long: the page keeps as much time for everything else.

const EASY = 50; // ms that a drawing may take without a rest
const LONG = 100; // ms from which a drawing counts as slow
const STILL = 400; // ms without a change after which a rough picture is drawn finely
const MANY = 8; // slow drawings, more or less in a row, after which the picture is simplified

export class Pace {
  /** Drawing has been slow for a while. */
  slow = false;

  private changed = 0; // when something was drawn that had changed
  private rough = false; // the last picture
  private last = 0; // when the last frame began
  private rest = 0; // until when nothing is drawn
  private drew = false;
  private count = 0;

  /** What is to be drawn in a frame that begins, where something has changed, or not. */
  next(now: number, changed: boolean): "nothing" | "rough" | "fine" {
    if (!this.ready(now)) return "nothing";
    if (changed) {
      this.changed = now;
      this.rough = this.slow;
      return this.rough ? "rough" : "fine";
    }
    if (!this.rough || now - this.changed < STILL) return "nothing";
    this.rough = false;
    return "fine";
  }

  /** Reports at the beginning of a frame whether it may draw. What the drawing before cost is seen by how late this frame is. */
  private ready(now: number): boolean {
    const cost = now - this.last;
    this.last = now;
    if (this.drew) {
      this.drew = false;
      this.rest = cost > EASY ? now + cost : 0;
      this.count = cost > LONG ? this.count + 1 : Math.max(0, this.count - 1);
      this.slow ||= this.count >= MANY;
    }
    return now >= this.rest;
  }

  /** Notes that this frame has drawn. */
  drawn(): void {
    this.drew = true;
  }
}
