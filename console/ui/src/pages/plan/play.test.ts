import { expect, test } from "vitest";
import { planOf, type PlanReply } from "../../lib/plans";
import { Latency } from "./latency";
import { at, thinned } from "./play";

test("positions between two samples lie on a line, and the ends are held", () => {
  const motion = { duration: 1, q: [[0, 1], [1, 1], [3, 0]].map((q) => new Float32Array(q)) };
  expect(at(motion, 0.75)).toEqual([2, 0.5]);
  expect([at(motion, -1), at(motion, 9), at({ duration: 0, q: [] }, 1)]).toEqual([[0, 1], [3, 0], []]);
});

test("a quantile is of the newest times, for each part alone", () => {
  const latency = new Latency(3);
  expect(latency.quantile(0.95).all).toBeNaN();
  for (const ms of [1000, 1, 3, 2]) latency.add({ queued: 1, server: 10 - ms, way: 2, drawing: 3, all: ms });
  expect([latency.count, latency.quantile(0.5).all, latency.quantile(0.95).all, latency.quantile(0.95).server]).toEqual([3, 2, 3, 9]);
});

test("tables of an answer are rows of numbers", () => {
  const text = btoa(String.fromCharCode(...new Uint8Array(new Float32Array([1, 2, 3, -4.5]).buffer)));
  const plan = planOf({ goal: [0, 0], q: text, hand: null, tree: null } as unknown as PlanReply);
  expect(plan.q.map((row) => [...row])).toEqual([[1, 2], [3, -4.5]]);
  expect([plan.hand.length, plan.tree.length]).toEqual([0, 0]);
});

test("samples are thinned at equal distances, with the last and without the first", () => {
  const samples = Array.from({ length: 101 }, (_, i) => i);
  expect(thinned(samples, 4)).toEqual([25, 50, 75, 100]);
  expect(thinned(samples, 1000)).toEqual(samples.slice(1));
  expect(thinned([7], 4)).toEqual([]);
});
