import { expect, test } from "vitest";
import { changesOf } from "./changes";
import type { ConsoleEvent, Value } from "./wire";

let seq = 0;
function set(at: number, ref: string, was: Record<string, Value> | undefined, named: Record<string, Value>, user = "ada"): ConsoleEvent {
  return { seq: ++seq, time: new Date(at).toISOString(), system: "s", kind: "change", text: "", action: "set", ref, user, values: { named, ...(was ? { was } : {}) } };
}

test("each change of a parameter has its value before, newest first", () => {
  const list = changesOf([set(0, "pid", { kp: 1, kd: 5 }, { kp: 2, kd: 5 }), set(5_000, "pid", undefined, { kp: 3 }, "bob")], "s");
  expect(list.map((c) => [c.block, c.param, c.old, c.value, c.user, c.time])).toEqual([
    ["pid", "kp", undefined, 3, "bob", 5_000],
    ["pid", "kp", 1, 2, "ada", 0],
  ]);
});

test("quick steps of one parameter are one change, and swapping back is another", () => {
  const steps = [set(0, "pid", { kp: 1 }, { kp: 2 }), set(300, "pid", { kp: 2 }, { kp: 3 }), set(600, "pid", { kp: 3 }, { kp: 1 })];
  expect(changesOf(steps, "s").map((c) => [c.old, c.value])).toEqual([
    [3, 1],
    [1, 3],
  ]);
});

test("events of other systems and kinds are no changes", () => {
  const e = set(0, "pid", { kp: 1 }, { kp: 2 });
  expect(changesOf([{ ...e, system: "other" }, { ...e, kind: "log" }, { ...e, action: "call" }], "s")).toEqual([]);
});
