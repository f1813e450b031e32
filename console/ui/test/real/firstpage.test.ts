// The files that a browser loads before it draws the first page.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let run: Run;

beforeAll(async () => {
  [run, browser] = await Promise.all([site.run(site.janus()), launch()]);
});
afterAll(() => leave(site, browser));

test("the page shown is requested before the session, which it does not need", async () => {
  const operator = await Operator.at(browser, run);
  const requested: string[] = [];
  operator.page.on("request", (r) => requested.push(new URL(r.url()).pathname));
  await operator.emptyCache();
  await operator.page.goto(`${run.origin}/?visit=first#/net`);
  await operator.page.locator(".reader li").first().waitFor({ state: "attached" });
  const place = (path: RegExp): number => requested.findIndex((r) => path.test(r));
  expect(place(/^\/assets\/Page-/)).toBeGreaterThan(0);
  expect(place(/^\/assets\/Page-/)).toBeLessThan(place(/^\/api\/session$/));
  await operator.close();
});

test("the first page has at most 90 kB of script on the wire", async () => {
  const operator = await Operator.at(browser, run);
  const times: number[] = [];
  let bytes = 0; // of script, with its headers, in the first visit of a browser
  for (let i = 0; i < 3; i++) {
    await operator.emptyCache();
    const begin = performance.now();
    await operator.page.goto(`${run.origin}/?visit=${i}#/net`, { waitUntil: "commit" });
    await operator.page.locator(".reader li").first().waitFor({ state: "attached" });
    times.push(performance.now() - begin);
    bytes = await operator.page.evaluate(() => {
      const prefetch = performance.getEntriesByName("prefetch")[0]?.startTime ?? Infinity;
      const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      return loaded.filter((r) => r.name.endsWith(".js") && r.startTime < prefetch).reduce((sum, r) => sum + r.transferSize, 0);
    });
  }
  const kilobytes = bytes / 1000;
  console.log(`first page: ${times.map((t) => t.toFixed(0)).join(", ")} ms until the net is drawn; ${kilobytes.toFixed(0)} kB of script on the wire`);
  expect(kilobytes).toBeGreaterThan(10);
  expect(kilobytes).toBeLessThanOrEqual(90);
  await operator.close();
});
