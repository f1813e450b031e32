import { expect, test, vi } from "vitest";
import { isKept, Timeline, type TimeSource } from "./timeline.svelte";
import type { Value } from "./wire";

/** A source from 0 to 100 s whose ports have the time as their value; answers wait until they are released. */
function source(): TimeSource & { asked: number[]; release: () => Promise<void> } {
  const waiting: (() => void)[] = [];
  const asked: number[] = [];
  return {
    asked,
    release: async () => {
      for (const f of waiting.splice(0)) f();
      await new Promise((done) => setTimeout(done));
    },
    span: () => Promise.resolve({ run: 1, start: 0, end: 100, wall: 0, slips: [] }),
    at: (refs, time) => {
      asked.push(time);
      return new Promise((done) => waiting.push(() => done(new Map<string, Value>(refs.map((r) => [r, time])))));
    },
    read: () => Promise.resolve([]),
  };
}

test("all followers get the values of the time shown", async () => {
  const [line, s] = [new Timeline(), source()];
  line.choose(s);
  await line.refresh();
  const [a, b] = [vi.fn(), vi.fn()];
  line.follow(["x.a"], a, () => undefined);
  line.follow(["x.b"], b, () => undefined);
  line.scrub(40);
  await s.release();
  expect(a).toHaveBeenLastCalledWith(new Map([["x.a", 40], ["x.b", 40]]), 40);
  expect(b).toHaveBeenCalledTimes(1);
  expect(s.asked).toEqual([40]);
});

test("while an answer is on its way only the newest time waits", async () => {
  const [line, s] = [new Timeline(), source()];
  line.choose(s);
  await line.refresh();
  const show = vi.fn();
  line.follow(["x.a"], show, () => undefined);
  for (const t of [10, 20, 30, 400]) line.scrub(t);
  expect(s.asked).toEqual([10]);
  await s.release();
  await s.release();
  expect(s.asked).toEqual([10, 100]); // no later than the end
  expect(show.mock.lastCall?.[1]).toBe(100);
});

test("Live shows the present again, and late answers are dropped", async () => {
  const [line, s] = [new Timeline(), source()];
  line.choose(s);
  await line.refresh();
  const [show, live] = [vi.fn(), vi.fn()];
  line.follow(["x.a"], show, live);
  line.scrub(40);
  line.live();
  await s.release();
  expect(line.at).toBeNull();
  expect(live).toHaveBeenCalledTimes(1);
  expect(show).not.toHaveBeenCalled();
});

test.each([3, 300])("a restart of the system shows the present, also where its history ends at %d s", async (end) => {
  const [line, s] = [new Timeline(), source()];
  line.choose(s);
  await line.refresh();
  line.scrub(40);
  s.span = () => Promise.resolve({ run: 2, start: 0, end, wall: 0, slips: [] });
  await line.refresh();
  expect(line.at).toBeNull();
});

test("numbers, booleans and lists of them are kept; texts and structures are not", () => {
  for (const v of [1, true, "NaN", [1, "+Inf"]]) expect(isKept(v)).toBe(true);
  for (const v of [undefined, "ready", { x: 1 }, [{ x: 1 }], null]) expect(isKept(v)).toBe(false);
});
