// Fingers on the screen of a page, as Chromium's debugging protocol dispatches them: real touches, from which the browser makes pointer events.
// The touches of a gesture are sent at once: if each waited for the answer to the one before, a finger on a busy machine would rest
// longer than a long press takes before it moves, and the second of two taps would be too late.
import type { CDPSession, Page } from "playwright-core";

type At = [number, number];

const steps = 6;

export class Fingers {
  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  /** Moves one finger or two, from places to others in CSS pixels of the page. */
  async drag(from: At[], to: At[]): Promise<void> {
    const moves = Array.from({ length: steps }, (_, i) => from.map(([x, y], f): At => {
      const part = (i + 1) / steps;
      return [x + ((to[f]?.[0] ?? x) - x) * part, y + ((to[f]?.[1] ?? y) - y) * part];
    }));
    await Promise.all([this.touch("touchStart", from), ...moves.map((at) => this.touch("touchMove", at)), this.touch("touchEnd", [])]);
  }

  async tap(x: number, y: number): Promise<void> {
    await Promise.all([this.touch("touchStart", [[x, y]]), this.touch("touchEnd", [])]);
  }

  async doubleTap(x: number, y: number): Promise<void> {
    await Promise.all([this.tap(x, y), this.tap(x, y)]);
  }

  /** Rests a finger longer than a long press takes. */
  async press(x: number, y: number): Promise<void> {
    await this.touch("touchStart", [[x, y]]);
    await new Promise((done) => setTimeout(done, 700));
    await this.touch("touchEnd", []);
  }

  private async touch(type: "touchStart" | "touchMove" | "touchEnd", places: At[]): Promise<void> {
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  }
}
