// Boxes of the net of Janus placed by hand: they stay where they were dragged, in the file beside the system file, for all operators.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { boxOf, dragBox } from "../net";
import { leave, Operator } from "./operator";
import { Site } from "./site";
import type { Run } from "./site";

const site = new Site();
const layout = "examples/janus/layout/janus.yaml";
let run: Run;
let browser: Browser;
let operator: Operator;
let second: Operator;

beforeAll(async () => {
  const file = site.janus();
  const [r, b] = await Promise.all([site.run(file), launch()]);
  [run, browser] = [r, b];
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator, second));

const written = (): string => (site.exists(layout) ? site.read(layout) : "");

test("a box that was dragged is there after a reload, and for other operators", async () => {
  await operator.go("net");
  const [before, still] = [await boxOf(operator.page, "pid1"), await boxOf(operator.page, "joint1")];
  await dragBox(operator.page, "pid1", 40, 150);
  await expect.poll(written).toMatch(/boxes:\n {2}pid1: \[\d+, \d+\]\n$/);
  const placed = await boxOf(operator.page, "pid1");
  expect(Math.abs(placed.top - before.top - 150)).toBeLessThan(8);
  expect((await boxOf(operator.page, "joint1")).left).toBeCloseTo(still.left, 0);
  await operator.page.reload();
  await operator.page.getByRole("button", { name: "Arrange automatically" }).waitFor();
  const again = await boxOf(operator.page, "pid1");
  const [a, b] = [await boxOf(operator.page, "joint1"), placed.rect];
  expect([again.rect[0] ?? 0, again.rect[1] ?? 0]).toEqual([b[0], b[1]]);
  expect(a.rect).toEqual(still.rect);
  second = await Operator.at(browser, run);
  await second.go("net");
  await second.page.getByRole("button", { name: "Arrange automatically" }).waitFor();
  expect((await boxOf(second.page, "pid1")).rect).toEqual(again.rect);
});

test("a change over another operator's is refused, and can be compared and overwritten", async () => {
  await dragBox(operator.page, "pid2", 0, 60);
  await expect.poll(written).toContain("pid2");
  await dragBox(second.page, "scope", 30, 120);
  const dialog = second.page.getByRole("dialog", { name: "Changed on disk" });
  await dialog.getByRole("button", { name: "Compare" }).click();
  await expect.poll(() => dialog.locator("pre").innerText()).toMatch(/- pid2: [^]*\+ scope: /);
  expect(written()).not.toContain("scope");
  await dialog.getByRole("button", { name: "Reload" }).click();
  await second.sees(() => boxOf(second.page, "pid2").then((b) => b.rect)).toEqual((await boxOf(operator.page, "pid2")).rect);
  await dragBox(second.page, "scope", 30, 120);
  await expect.poll(written).toMatch(/pid2[^]*scope/);
});

test("the editor renames a box in the layout when it is saved", async () => {
  const { page } = second;
  await second.go("net", "", "?edit=1");
  await page.getByText("No problems found").waitFor();
  await page.locator(".reader button", { hasText: /^pid1$/ }).dispatchEvent("click");
  await page.getByLabel("Name", { exact: true }).fill("lift");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await second.sees(() => page.locator(".errors").innerText()).toContain("No problems found");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(written).toContain("  lift: [");
  expect(written()).not.toContain("pid1");
});
