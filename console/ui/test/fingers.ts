// Fingers on the screen of a page, as Chromium's debugging protocol dispatches them: real touches, from which the browser makes pointer events.
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
    await this.touch("touchStart", from);
    for (let i = 1; i <= steps; i++) {
      await this.touch("touchMove", from.map(([x, y], f) => [x + ((to[f]?.[0] ?? x) - x) * (i / steps), y + ((to[f]?.[1] ?? y) - y) * (i / steps)]));
    }
    await this.touch("touchEnd", []);
  }

  async tap(x: number, y: number): Promise<void> {
    await this.touch("touchStart", [[x, y]]);
    await this.touch("touchEnd", []);
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
