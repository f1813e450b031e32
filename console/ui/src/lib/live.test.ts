import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "./client";
import { Live } from "./live.svelte";
import { Timeline, type TimeSpan } from "./timeline.svelte";
import type { Frame } from "./wire";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns Live with a followed port "a.out", its timeline, and functions that bring frames and spans of the system's time in s. */
async function follow() {
  let give: (f: Frame) => void = () => undefined;
  let span: TimeSpan = { run: 1, start: 0, end: 0, wall: 0, slips: [] };
  const client = { watch: (_s: string, _l: unknown, _r: number, onFrame: (f: Frame) => void) => ((give = onFrame), { stop: () => undefined }) } as unknown as Client;
  const line = new Timeline();
  const live = new Live(client, line, () => true);
  live.choose("x");
  live.follow(["a.out", "b.out"]);
  await vi.advanceTimersByTimeAsync(1000);
  line.choose({ span: () => Promise.resolve(span), at: () => Promise.resolve(new Map()), read: () => Promise.resolve([]) });
  return {
    live,
    line,
    frame: (signal: number, time: number, age?: number) => give({ id: "1", t: time * 1e9, lost: 0, s: [age === undefined ? [signal, [time * 1e9], [1]] : [signal, [time * 1e9], [1], age]] }),
    end: (run: number, end: number) => ((span = { ...span, run, end }), line.refresh()),
  };
}

test("a value is as old as it was when it came, until nothing has come for a second", async () => {
  const { live, frame, end } = await follow();
  expect(live.age("a.out")).toBe(0);
  frame(0, 5, 80e6);
  expect(live.age("a.out")).toBe(80e6);
  frame(1, 5.9); // of another port
  expect(live.age("a.out")).toBe(80e6);
  expect(live.age("b.out")).toBe(0);
  frame(1, 7);
  expect(live.age("a.out")).toBe(2e9 + 80e6);
  await end(1, 10); // no port brings anything
  expect(live.age("a.out")).toBe(5e9 + 80e6);
  expect(live.age("b.out")).toBe(3e9);
  frame(0, 10.1);
  expect(live.age("a.out")).toBe(0);
});

test("values of the past, and those of a run before, have no ages", async () => {
  const { live, line, frame, end } = await follow();
  frame(0, 500, 80e6);
  frame(1, 500, 70e6);
  await end(1, 500);
  line.scrub(400);
  expect(live.age("a.out")).toBe(0);
  line.live();
  expect(live.age("a.out")).toBe(80e6);
  frame(1, 0.1); // the system has been restarted, and the span is still that of the run before
  expect(live.age("a.out")).toBe(0);
  expect(live.age("b.out")).toBe(0);
  await end(2, 3);
  expect(live.age("b.out")).toBeCloseTo(2.9e9, -3);
});
