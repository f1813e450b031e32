// Editing the files of a system's groups: the whole system is checked, and runs with them.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.copy("models/walker", "examples/walker");
  const file = site.system("examples/walker/walker.yaml", site.read("examples/walker/walker.yaml"));
  const [run, b] = await Promise.all([site.start(["run", file, "--console", "--quiet"], "walker"), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const state = (): Promise<string | null> => operator.page.locator(".bar .state").textContent();
const verdict = (): Promise<string | null> => operator.page.locator(".errors").textContent();
const file = (): Promise<string> => operator.page.getByLabel("System file to edit").inputValue();

async function choose(...names: string[]): Promise<void> {
  for (const [i, name] of names.entries()) await operator.page.locator(".reader button", { hasText: new RegExp(`^${name}$`) }).dispatchEvent("click", { shiftKey: i > 0 });
}

test("a group's file is opened and edited", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toContain("No problems found");
  await choose("legs");
  await page.keyboard.press("o");
  await operator.sees(file).toMatch(/legs\.yaml$/);
  await operator.sees(verdict).toContain("No problems found");
  await choose("left_front", "left_middle", "left_rear");
  await page.keyboard.press("g");
  await page.getByLabel("Name of the group").fill("left");
  await page.keyboard.press("Enter");
  await operator.sees(verdict).toContain("No problems found");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("Saved");
  expect(site.read("examples/walker/legs.yaml")).toContain("groups:\n  right_front: ");
  expect(site.read("examples/walker/legs.yaml")).toContain("\n  left:\n    level: 0\n    levels: 2\n    groups:\n      left_front:   {include: leg.yaml, level: 0, params: {x: 0.16");
  await operator.restart();
  await operator.block("legs.left.left_front.stepper");
});

test("an error in another file names the file, and a click opens it", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toContain("No problems found");
  await page.getByLabel("System file to edit").selectOption({ label: "body.yaml — body" });
  await operator.sees(file).toMatch(/body\.yaml$/);
  await page.getByRole("button", { name: "File", exact: true }).click();
  const text = page.getByLabel("System file", { exact: true });
  await text.fill((await text.inputValue()).replace("  vx: gait.leg_vx", "  vx: gait.leg_vz"));
  await operator.sees(verdict).toContain("leg_vz");
  await text.fill((await text.inputValue()).replace("  vx: gait.leg_vz\n", ""));
  await operator.sees(verdict).toMatch(/walker\.yaml:\d+:\d+/);
  await page.locator(".errors button", { hasText: "walker.yaml" }).first().click();
  await operator.sees(file).toMatch(/walker\.yaml$/);
});
