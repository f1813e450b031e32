// Gains, overrides and blocks switched off: what an operator does with a running Janus.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(async () => {
  await operator.close();
  await browser.close();
  await site.close();
});

const system = (): string[] => ["--system", site.name("janus")];

test("a gain is tuned on the page Tree, and the scope shows what it does", async () => {
  await operator.draw("controller.error1", "pid1.out");
  await operator.page.getByLabel("Span of time").selectOption({ label: "2 s" });
  await operator.sees(() => operator.measured("pid1.out", "rms")).toBeGreaterThan(0);
  await new Promise((done) => setTimeout(done, 2_000));
  const stiff = await operator.measured("controller.error1", "max");
  await operator.tune("pid1", "kp", "4");
  expect(await site.sinew("param", "get", "pid1.kp")).toBe("4");
  await operator.go("scope");
  await operator.sees(() => operator.measured("controller.error1", "max")).toBeGreaterThan(3 * stiff);
});
