import { expect, test } from "vitest";
import { Pace } from "./pace";

test("quick drawings follow one another", () => {
  const pace = new Pace();
  for (let now = 0; now < 1000; now += 16) {
    expect(pace.ready(now)).toBe(true);
    pace.drawn();
  }
  expect(pace.slow).toBe(false);
});

test("after a slow drawing the page rests as long as it took, and after many the picture is simpler", () => {
  const pace = new Pace();
  let now = 0;
  let drawings = 0;
  for (let k = 0; k < 200 && !pace.slow; k++) {
    if (pace.ready(now)) {
      pace.drawn();
      drawings++;
      now += 300;
    } else now += 16;
  }
  expect(pace.slow).toBe(true);
  expect(now).toBeGreaterThan(drawings * 550);
});
