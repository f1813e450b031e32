// Pages of Janus side by side: saved as a workspace beside the system file, opened by another operator, and refused without the role.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let first: Operator;
let second: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  first = await Operator.at(browser, run);
  second = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, first, second));

test("robot and scope side by side show the running system, and are saved for the other operator", async () => {
  const { page } = first;
  await page.evaluate(() => (location.hash = "#/40:robot|60:scope"));
  await first.sees(() => page.locator("main > .slot canvas").count()).toBeGreaterThan(0);
  await page.getByLabel("Search signals").fill("pid1.out");
  await page.getByRole("button", { name: "Draw pid1.out", exact: true }).click();
  await first.sees(() => page.locator(".table tr", { hasText: "pid1.out" }).count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Save workspace…" }).click();
  await page.getByLabel("Name of the workspace").fill("watch");
  await page.keyboard.press("Enter");
  await expect.poll(() => (site.exists("examples/janus/panels/watch.yaml") ? site.read("examples/janus/panels/watch.yaml") : "")).toBe("title: watch\npages: ['40:robot', '60:scope']\n");
  await second.go("panels", "watch");
  await second.page.getByRole("button", { name: "Open", exact: true }).click();
  await second.sees(() => second.page.evaluate(() => location.hash)).toBe("#/40:robot|60:scope");
  await second.page.getByLabel("Search signals").waitFor();
});
