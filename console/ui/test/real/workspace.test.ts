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

test("a workspace follows a block that is renamed in the editor, and opens it after the restart", async () => {
  const { page } = first;
  const workspace = "title: look\npages: ['40:tree/pid1', '60:scope?add=pid1.out']\n";
  site.write("examples/janus/panels/look.yaml", workspace);
  const verdict = (): Promise<string | null> => page.locator(".errors").textContent();
  await first.go("net", "", "?edit=1");
  await first.sees(verdict).toContain("No problems found");
  await page.getByRole("button", { name: "pid1", exact: true }).dispatchEvent("click");
  await page.getByLabel("Name", { exact: true }).fill("inner");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await first.sees(verdict).toContain("panel look: pid1 → inner");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await first.sees(() => page.locator(".bar .state").textContent()).toBe("Saved");
  await expect.poll(() => site.read("examples/janus/panels/look.yaml")).toBe(workspace.replaceAll("pid1", "inner"));
  expect(site.read("examples/janus/panels/watch.yaml")).toBe("title: watch\npages: ['40:robot', '60:scope']\n");
  await first.restart();
  await first.go("panels", "look");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "inner", exact: true }).waitFor();
  await first.sees(() => first.measured("inner.out", "now")).not.toBeNaN();
});
