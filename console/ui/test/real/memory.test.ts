// A minute of streaming: what the page keeps stays bounded.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.system("waves.yaml", waves())), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const drawn = 16;
const minute = 60_000; // ms

/** Sixteen waves at 1 kHz, as the elements of one port. */
function waves(): string {
  const each = (line: (n: number) => string): string => Array.from({ length: drawn }, (_, i) => line(i + 1)).join("\n");
  return `system: waves
threads:
  main: {period: 1ms}
blocks:
  all: {type: flow.Mux, thread: main, params: {n: ${drawn}}}
${each((n) => `  wave${n}: {type: flow.Wave, thread: main, params: {frequency: ${n / 4}}}`)}
links:
${each((n) => `  - wave${n}.out -> all.in${n}`)}
`;
}

test("the heap does not grow over a minute of 16 signals at 1 kHz", { timeout: 150_000 }, async () => {
  await operator.draw("all.out");
  await operator.sees(() => operator.page.locator(".table tbody tr").count()).toBe(drawn);
  const line = await operator.page.context().newCDPSession(operator.page);
  /** MB; the least of some looks, since frames that are under way come and go. */
  const heap = async (): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < 4; i++) {
      await line.send("HeapProfiler.collectGarbage");
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await line.send("Runtime.getHeapUsage");
      least = Math.min(least, (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6);
      await pause(250);
    }
    return least;
  };
  await pause(3_000); // code is compiled, pools are filled
  const begin = await heap();
  await pause(minute);
  const end = await heap();
  const lost = (await operator.page.locator(".scope").textContent())?.match(/lost[^.]*/)?.[0] ?? "nothing lost";
  console.log(`heap: ${begin.toFixed(1)} MB, a minute later ${end.toFixed(1)} MB; ${lost}`);
  expect(end).toBeLessThan(1.1 * begin);
  expect(await operator.measured("all.out[15]", "max")).toBeCloseTo(1, 1);
});
