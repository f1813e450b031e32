import { expect, test } from "vitest";
import { flagsOf, nextFlag } from "./flags";
import type { TimeSpan } from "./timeline.svelte";
import type { ConsoleEvent } from "./wire";

const wall = Date.UTC(2026, 0, 1);
const span: TimeSpan = { run: 1, start: 10, end: 70, wall, slips: [{ time: 30, thread: "main", count: 2 }] };
const event = (secondsAgo: number, kind: ConsoleEvent["kind"], text: string, system = "janus"): ConsoleEvent => ({ seq: 1, time: new Date(wall - 1000 * secondsAgo).toISOString(), kind, text, system });

test("events and slips are flags at their system time; log lines and other systems have none", () => {
  const flags = flagsOf(span, [event(20, "change", "set pid1"), event(50, "fault", "pid1: NaN"), event(65, "change", "too old"), event(5, "log", "line"), event(5, "change", "x", "walker")], "janus");
  expect(flags).toEqual([
    { time: 20, kind: "fault", text: "pid1: NaN" },
    { time: 30, kind: "slip", text: "main: 2 slips" },
    { time: 50, kind: "change", text: "set pid1" },
  ]);
});

test("what ended a system is a flag at the end of its history", () => {
  expect(flagsOf(span, [event(-3, "fault", "pid1: NaN; the system has stopped")], "janus").at(-1)).toEqual({ time: 70, kind: "fault", text: "pid1: NaN; the system has stopped" });
});

test("flags are found before and after a time", () => {
  const flags = flagsOf(span, [event(20, "change", "set pid1")], "janus");
  expect(nextFlag(flags, 30, 1)?.time).toBe(50);
  expect(nextFlag(flags, 30, -1)).toBeUndefined();
  expect(nextFlag(flags, 50, -1)?.time).toBe(30);
});
