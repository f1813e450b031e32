// A minute of streaming: what the page keeps stays bounded.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { Operator } from "./operator";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.system("waves.yaml", waves())), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(async () => {
  await operator.close();
  await browser.close();
  await site.close();
});

const drawn = 16;
const minute = 60_000; // ms

/** Sixteen signals at 1 kHz. */
function waves(): string {
  const blocks = Array.from({ length: drawn }, (_, i) => `  wave${i}: {type: flow.Wave, thread: main, params: {frequency: ${(i + 1) / 4}}}`);
  return `system: waves\nthreads:\n  main: {period: 1ms}\nblocks:\n${blocks.join("\n")}\n`;
}

test("the heap does not grow over a minute of 16 signals at 1 kHz", { timeout: 150_000 }, async () => {
  await operator.draw(...Array.from({ length: drawn }, (_, i) => `wave${i}.out`));
  const line = await operator.page.context().newCDPSession(operator.page);
  /** MB; the least of some looks, since frames that are under way come and go. */
  const heap = async (): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < 6; i++) {
      await line.send("HeapProfiler.collectGarbage");
      least = Math.min(least, (await line.send("Runtime.getHeapUsage")).usedSize / 1e6);
      await pause(250);
    }
    return least;
  };
  await pause(4_000); // code is compiled, pools are filled
  const begin = await heap();
  await pause(minute);
  const end = await heap();
  const lost = (await operator.page.locator(".scope").textContent())?.match(/lost[^.]*/)?.[0] ?? "nothing lost";
  console.log(`heap: ${begin.toFixed(1)} MB, a minute later ${end.toFixed(1)} MB; ${lost}`);
  expect(end).toBeLessThan(1.1 * begin);
  expect(await operator.measured("wave15.out", "max")).toBeCloseTo(1, 1);
});
