import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pusher } from "./pusher";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pusher whose requests are written down; broken: they fail. */
function rig(): { pusher: Pusher; sent: (string | number[])[]; errors: unknown[]; break: (now: boolean) => void } {
  const sent: (string | number[])[] = [];
  const errors: unknown[] = [];
  let broken = false;
  const send = (what: string | number[]): Promise<unknown> => (broken ? Promise.reject(new Error("lost")) : Promise.resolve(sent.push(what)));
  const pusher = new Pusher({ feed: (force, seconds) => send([...force, seconds]), release: () => send("released"), failed: (e) => errors.push(e) });
  return { pusher, sent, errors, break: (now) => (broken = now) };
}

test("only the newest force is sent, five times a second, and the input is released at the end", async () => {
  const { pusher, sent } = rig();
  pusher.push([1, 0, 0]);
  for (let i = 2; i < 10; i++) pusher.push([i, 0.04, 0]);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([[1, 0, 0, 1], [9, 0, 0, 1]]);
  pusher.push([3, 0, 0]);
  pusher.push(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent.slice(2)).toEqual(["released"]);
  pusher.push(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(3);
});

test("a force that stays the same is renewed before its lease of 1 s ends", async () => {
  const { pusher, sent } = rig();
  pusher.push([5, 0, 0]);
  await vi.advanceTimersByTimeAsync(2100);
  expect(sent.length).toBeGreaterThan(8);
  pusher.push(null);
  await vi.advanceTimersByTimeAsync(300);
  expect(sent.at(-1)).toBe("released");
});

test("a push goes on after a failed request", async () => {
  const rigged = rig();
  rigged.break(true);
  rigged.pusher.push([5, 0, 0]);
  await vi.advanceTimersByTimeAsync(500);
  expect(rigged.errors.length).toBeGreaterThan(1);
  rigged.break(false);
  await vi.advanceTimersByTimeAsync(300);
  expect(rigged.sent.at(-1)).toEqual([5, 0, 0, 1]);
  rigged.break(true);
  rigged.pusher.push(null);
  await vi.advanceTimersByTimeAsync(300);
  rigged.break(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(rigged.sent.at(-1)).toEqual([5, 0, 0, 1]); // the lease ends it
});
