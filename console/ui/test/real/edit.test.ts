// The net is edited: the file stays one that a person would write, and the system runs on under it.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let file: string;

beforeAll(async () => {
  file = site.janus();
  const [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const state = (): Promise<string | null> => operator.page.locator(".bar .state").textContent();
const verdict = (): Promise<string | null> => operator.page.locator(".errors").textContent();

test("a block is added from the palette, linked and set; the file keeps its comments and is right", async () => {
  const { page } = operator;
  const before = site.read("examples/janus/janus.yaml");
  await operator.go("net");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByPlaceholder("Add a block: filter types").fill("flow.wave");
  await page.getByPlaceholder("Add a block: filter types").press("Enter");
  const wave = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.locator("aside .row", { hasText: "frequency" }).locator("input").fill("2.5");
  await page.locator("aside .row", { hasText: "frequency" }).locator("input").press("Enter");
  await page.getByPlaceholder("Add a block: filter types").fill("flow.gain");
  await page.getByPlaceholder("Add a block: filter types").press("Enter");
  const gain = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.keyboard.press("Control+z");
  await page.getByPlaceholder("Add a block: filter types").fill("flow.scope");
  await page.getByPlaceholder("Add a block: filter types").press("Enter");
  const scope = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.locator("aside .row", { hasText: "signals" }).locator("input").fill('["wave"]');
  await page.locator("aside .row", { hasText: "signals" }).locator("input").press("Enter");
  await page.getByLabel("From").fill(`${wave}.out`);
  await page.getByLabel("To", { exact: true }).fill(`${scope}.wave`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await operator.sees(verdict).toContain("The file is right.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("saved");

  const after = site.read("examples/janus/janus.yaml");
  expect(await site.sinew("check", file)).not.toContain("error");
  expect(after).toContain(`${wave}.out -> ${scope}.wave`);
  expect(after).toContain("frequency: 2.5");
  const [old, now] = [before.split("\n"), after.split("\n")];
  expect(old.filter((line) => !now.includes(line)), "lines that were changed or lost").toEqual([]);
  expect(now.filter((line) => line.includes(gain)), "what was undone").toEqual([]);
});

test("a restart runs what was saved", async () => {
  const { page } = operator;
  await page.getByRole("button", { name: "Restart", exact: true }).click();
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await operator.block("wave1");
  await operator.sees(() => operator.param("wave1", "frequency")).toBe("2.5");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.sees(shown).toMatch(/\d/);
});

test("blocks become a group: the file stays right and readable, and the system runs with it", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toContain("The file is right.");
  const node = (name: string): Promise<void> => page.locator(".reader button", { hasText: new RegExp(`^${name}$`) }).dispatchEvent("click", { shiftKey: name !== "controller" });
  for (const name of ["controller", "pid1", "pid2"]) await node(name);
  await page.getByRole("button", { name: "Group", exact: true }).click();
  await page.getByLabel("Name of the group").fill("control");
  await page.keyboard.press("Enter");
  await operator.sees(verdict).toContain("The file is right.");
  expect(await verdict()).toContain("script moves.star");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("saved");

  const after = site.read("examples/janus/janus.yaml");
  expect(await site.sinew("check", file)).not.toContain("error");
  expect(after).toContain("groups:\n  control:\n    blocks:\n      controller: {type: servo.ControllerNPID");
  expect(after).toContain("      # Gains found on the simulated robot");
  expect(after).toContain("  - control.act -> actuator.act");

  await page.getByRole("button", { name: "Restart", exact: true }).click();
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await page.locator(".reader button", { hasText: /^control \(group of 3, open\)$/ }).waitFor();
  await operator.block("control.pid1");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.sees(shown).toMatch(/[1-9]/);
});

test("a link that cannot be is refused with its reason; a file that is wrong cannot be saved", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await page.getByLabel("From").fill("sampler.sample");
  await page.getByLabel("To", { exact: true }).fill("control.pid1.ref");
  expect(await page.locator("form p").textContent()).not.toBe("");
  expect(await page.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "File" }).click();
  const text = page.getByLabel("System file");
  await text.fill((await text.inputValue()).replace("type: servo.PID,", "type: servo.PIDD,"));
  await operator.sees(verdict).toMatch(/PIDD/);
  expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Discard" }).click();
  await operator.sees(verdict).toContain("The file is right.");
});
