import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../lib/app.svelte";
import type { PlanEntry, Setting } from "../../lib/plans";
import { Planning } from "./planning.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a robot at a server that answers requests for plans only when `answer` is called. */
async function opened(): Promise<{ planning: Planning; requested: string[]; seeds: number[]; answer: () => void }> {
  const [requested, seeds, waiting] = [[] as string[], [] as number[], [] as (() => void)[]];
  const request = (method: string, args: { seed: number }): Promise<unknown> => {
    requested.push(method);
    if (method === "plan.open") return Promise.resolve({ joints: ["a"], start: [0], goal: [1], objects: [], held: [], planner: "prm-star", engines: ["exact"], seconds: 30 } as unknown as Setting);
    if (method === "plan.grow") return Promise.resolve({ growing: true, tree: btoa("\0".repeat(24)) });
    seeds.push(args.seed);
    return new Promise((resolve) => waiting.push(() => resolve({ goal: [1], q: null, hand: null, tree: null })));
  };
  const planning = new Planning({ client: { request } } as unknown as App);
  await planning.open({} as PlanEntry);
  planning.link = "hand";
  const answer = (): void => waiting.splice(0).forEach((f) => f());
  return { planning, requested, seeds, answer };
}

test("a change replaces a long request after its patience, without another change", async () => {
  const { planning, seeds } = await opened();
  planning.begin();
  await vi.advanceTimersByTimeAsync(50);
  planning.seed = 1;
  planning.replan();
  planning.seed = 2;
  planning.replan();
  await vi.advanceTimersByTimeAsync(99);
  expect(seeds).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seeds).toEqual([0, 2]);
});

test("changes wait for the end of a quick request, and are sent once", async () => {
  const { planning, seeds, answer } = await opened();
  planning.begin();
  await vi.advanceTimersByTimeAsync(50);
  for (planning.seed = 1; planning.seed < 4; planning.seed++) planning.replan();
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(seeds).toEqual([0, 4]);
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seeds).toEqual([0, 4]);
  expect([planning.made, planning.busy]).toEqual([2, false]);
});

test("a tree is drawn while it grows, also where it is wanted while a plan is under way", async () => {
  const { planning, requested } = await opened();
  planning.begin();
  await vi.advanceTimersByTimeAsync(120);
  expect(requested).not.toContain("plan.grow");
  planning.tree = true;
  planning.replan();
  await vi.advanceTimersByTimeAsync(300);
  expect(planning.grown).toHaveLength(6);
  planning.cancel();
  planning.close();
});
