import { expect, test } from "vitest";
import { Pace } from "./pace";

test("quick drawings follow one another", () => {
  const pace = new Pace();
  for (let now = 0; now < 1000; now += 16) {
    expect(pace.next(now, true)).toBe("fine");
    pace.drawn();
  }
  expect(pace.slow).toBe(false);
});

test("after a slow drawing the page rests as long as it took, and after many the picture is simpler", () => {
  const pace = new Pace();
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

test("what moves is rough where drawing is slow, and fine once it stands still", () => {
  const pace = new Pace();
  pace.slow = true;
  expect(pace.next(1000, false)).toBe("nothing");
  expect(pace.next(1016, true)).toBe("rough");
  pace.drawn();
  expect(pace.next(1032, false)).toBe("nothing");
  expect(pace.next(1500, false)).toBe("fine");
  expect(pace.next(1516, false)).toBe("nothing");
  expect(pace.next(1532, true)).toBe("rough");
});
