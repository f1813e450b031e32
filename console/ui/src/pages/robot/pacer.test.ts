import { expect, test } from "vitest";
import { FramePacer } from "./pacer";

test("fast frames are all drawn", () => {
  const pace = new FramePacer();
  for (let now = 0; now < 1000; now += 16) {
    expect(pace.next(now, true)).toBe("fine");
    pace.drawn();
  }
  expect(pace.slow).toBe(false);
});

test("a slow frame is followed by an equal pause, and many slow frames simplify the picture", () => {
  const pace = new FramePacer();
  let now = 0;
  let drawings = 0;
  for (let k = 0; k < 200 && !pace.slow; k++) {
    if (pace.next(now, true) !== "nothing") {
      pace.drawn();
      drawings++;
      now += 300;
    } else now += 16;
  }
  expect(pace.slow).toBe(true);
  expect(now).toBeGreaterThan(drawings * 550);
});

test("slow drawing is rough during motion and fine at rest", () => {
  const pace = new FramePacer(true);
  expect(pace.next(1000, false)).toBe("nothing");
  expect(pace.next(1016, true)).toBe("rough");
  pace.drawn();
  for (let now = 1032; now < 1416; now += 16) expect(pace.next(now, false)).toBe("nothing");
  expect(pace.next(1416, false)).toBe("fine");
  expect(pace.next(1432, false)).toBe("nothing");
  expect(pace.next(1448, true)).toBe("rough");
});

test("late changes on a busy machine are not taken for rest", () => {
  const pace = new FramePacer(true);
  for (let now = 1000; now < 9000; now += 1500) {
    expect(pace.next(now, true)).toBe("rough");
    expect(pace.next(now + 500, false)).toBe("nothing");
    expect(pace.next(now + 1000, false)).toBe("nothing");
  }
});

test("slow drawing follows changes 30 times a second, and the last of them is drawn", () => {
  const pace = new FramePacer(true);
  const drawn: number[] = [];
  for (let k = 0; k < 60; k++) if (pace.next(1000 + (k * 1000) / 60, true) !== "nothing") drawn.push(k);
  expect(drawn.length).toBeGreaterThanOrEqual(29);
  expect(drawn.length).toBeLessThanOrEqual(31);
});

test("frames that stay slow are drawn with fewer pixels", () => {
  const pace = new FramePacer(true);
  expect(pace.shareOf("rough")).toBe(0.75);
  let now = 1000;
  for (let k = 0; k < 200; k++) {
    if (pace.next(now, true) !== "nothing") {
      pace.drawn();
      now += 80;
    } else now += 16;
  }
  expect(pace.shareOf("rough")).toBe(0.5);
  expect(pace.shareOf("fine")).toBe(1);
});

test("what a user waits for is drawn in the next frame, also where drawing is slow", () => {
  const pace = new FramePacer(true);
  expect(pace.next(1000, true)).toBe("rough");
  expect(pace.next(1016, true)).toBe("nothing");
  expect(pace.next(1017, true, true)).toBe("rough");
});

test("what a user waits for is drawn between frames: with a graphics card at most every 8 ms, else once and roughly until all is at rest", () => {
  const card = new FramePacer();
  expect([1000, 1003, 1007, 1008].map((now) => card.atOnce(now))).toEqual(["fine", "nothing", "nothing", "fine"]);
  expect(card.shareOf("fine")).toBe(1);

  const pace = new FramePacer(true);
  expect(pace.next(1000, false)).toBe("nothing");
  expect([1003, 1012].map((now) => pace.atOnce(now))).toEqual(["rough", "nothing"]);
  expect(pace.shareOf("rough")).toBe(0.5);
  expect(pace.next(1016, true, true)).toBe("rough");
  expect(pace.atOnce(1018)).toBe("rough");
  for (let now = 1032; now < 1418; now += 16) expect(pace.next(now, false)).toBe("nothing");
  expect(pace.next(1418, false)).toBe("fine");
  expect(pace.next(1432, true)).toBe("rough");
  expect(pace.shareOf("rough")).toBe(0.75);
});

test("after a picture between frames that took long there is a pause", () => {
  const pace = new FramePacer(true);
  expect(pace.next(1000, false)).toBe("nothing");
  expect(pace.atOnce(1002)).toBe("rough");
  pace.drawn();
  expect(pace.next(1300, true, true)).toBe("nothing");
  expect(pace.atOnce(1310)).toBe("nothing");
  expect(pace.next(1600, true, true)).toBe("rough");
});
