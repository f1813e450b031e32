// The page's memory stays bounded while streaming for SINEW_MINUTES (default 1).
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "../real/operator";
import { pause, Site } from "../real/site";

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
const minutes = Number(process.env["SINEW_MINUTES"] ?? 1);

/** Returns a system with sixteen waves at 1 kHz as the elements of one port. */
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

/** The page's memory. */
interface Memory {
  /** MB: objects, the browser's objects they reference, and array contents */
  heap: number;
  nodes: number;
  listeners: number;
}

test(`memory does not grow in ${minutes} min of 16 signals at 1 kHz`, { timeout: 90_000 + minutes * 65_000 }, async () => {
  await operator.draw("all.out");
  await operator.sees(() => operator.page.locator(".table tbody tr").count()).toBe(drawn);
  const devtools = await operator.page.context().newCDPSession(operator.page);
  /** Measures four times and returns the minimum, as frames in flight come and go. */
  const look = async (): Promise<Memory> => {
    const least: Memory = { heap: Infinity, nodes: Infinity, listeners: Infinity };
    for (let i = 0; i < 4; i++) {
      await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
      least.heap = Math.min(least.heap, (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6);
      const flags = await operator.page.locator(".time .flag").count(); // of slips, at most 300
      least.nodes = Math.min(least.nodes, nodes - flags);
      least.listeners = Math.min(least.listeners, jsEventListeners);
      await pause(250);
    }
    return least;
  };
  const print = (minute: number, k: Memory): void => console.log(`| ${minute} | ${k.heap.toFixed(2)} | ${k.nodes} | ${k.listeners} |`);
  await pause(3_000); // warm-up
  const begin = await look();
  let end = begin;
  console.log("| minute | heap, MB | nodes | listeners |\n|---|---|---|---|");
  print(0, begin);
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000);
    print(minute, (end = await look()));
  }
  console.log((await operator.page.locator(".scope").textContent())?.match(/lost[^.]*/)?.[0] ?? "nothing lost");
  expect(end.heap).toBeLessThan(1.1 * begin.heap);
  expect(end.nodes).toBeLessThanOrEqual(begin.nodes + 10);
  expect(end.listeners).toBeLessThanOrEqual(begin.listeners + 5);
  expect(await operator.measured("all.out[15]", "max")).toBeCloseTo(1, 1);
});
