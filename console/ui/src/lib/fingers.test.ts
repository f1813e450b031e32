import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToFingers } from "./fingers";

/** An element that gets the touches of a test. */
class Pad extends EventTarget {
  readonly style = {};
  getBoundingClientRect = (): { left: number; top: number } => ({ left: 0, top: 0 });
  setPointerCapture = (): void => {};

  touch(type: "pointerdown" | "pointermove" | "pointerup", clientX: number): void {
    this.dispatchEvent(Object.assign(new Event(type), { pointerType: "touch", pointerId: 1, clientX, clientY: 0 }));
  }
}

let pad: Pad;
let seen: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  pad = new Pad();
  seen = [];
  listenToFingers(pad as unknown as HTMLElement, { move: (by) => seen.push(`move ${by.x}`), tap: () => seen.push("tap"), press: (at) => seen.push(`press ${at.x}`) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a finger that rests for half a second presses", () => {
  pad.touch("pointerdown", 10);
  vi.advanceTimersByTime(499);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(50);
  pad.touch("pointermove", 30);
  pad.touch("pointerup", 30);
  expect(seen).toEqual(["press 10", "press 30"]);
});

test("a drag that a busy page gets late, after the timer and before the next frame, moves", () => {
  pad.touch("pointerdown", 10);
  vi.advanceTimersByTime(500);
  pad.touch("pointermove", 30);
  vi.advanceTimersByTime(1000);
  pad.touch("pointerup", 30);
  expect(seen).toEqual(["move 20"]);
});

test("a short touch taps", () => {
  pad.touch("pointerdown", 10);
  pad.touch("pointerup", 12);
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(["tap"]);
});
