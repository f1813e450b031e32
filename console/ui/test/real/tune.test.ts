// Tuning, overriding and disabling in a running Janus.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator, stands } from "./operator";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus((text) => text.replace("  generator:  {", "  wave: {type: flow.Wave, thread: generator}\n  generator:  {"))), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

/** Returns the value of a port as reported by the command sinew. */
async function value(port: string): Promise<number> {
  return (JSON.parse(await site.sinew("tap", port, "--count", "1", "--json")) as { value: number }).value;
}

test("the scope shows the effect of a gain tuned on the page Tree", async () => {
  await operator.draw("controller.error1", "pid1.out");
  await operator.page.getByLabel("Time span").selectOption({ label: "2 s" });
  await operator.sees(() => operator.measured("pid1.out", "rms")).toBeGreaterThan(0);
  await pause(2_000);
  const stiff = await operator.measured("controller.error1", "max");
  await operator.tune("pid1", "kp", "4");
  await operator.sees(() => site.sinew("param", "get", "pid1.kp")).toBe("4");
  await operator.go("scope");
  await operator.sees(() => operator.measured("controller.error1", "max")).toBeGreaterThan(3 * stiff);
});

test("an input is overridden and released", async () => {
  await operator.block("pid2");
  const row = operator.port("sen");
  await row.hover();
  await row.getByRole("button", { name: "Override pid2.sen" }).click();
  await row.getByLabel("Value for pid2.sen").fill("0.25");
  await row.getByRole("button", { name: "Set" }).click();
  await operator.sees(() => row.textContent()).toContain("overridden");
  expect(await value("pid2.sen")).toBe(0.25);
  await row.getByRole("button", { name: "Release" }).click();
  await operator.sees(() => row.textContent()).toContain("controller.sen2");
  await operator.sees(() => value("pid2.sen")).not.toBe(0.25);
});

test("a disabled block keeps its outputs until it is enabled", async () => {
  await operator.block("wave");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.page.getByRole("button", { name: "Disable", exact: true }).click();
  await operator.page.getByRole("button", { name: "Enable", exact: true }).waitFor();
  const stood = await stands(shown);
  await operator.page.getByRole("button", { name: "Enable", exact: true }).click();
  await operator.sees(shown).not.toBe(stood);
  await operator.page.getByRole("button", { name: "Disable", exact: true }).waitFor();
});

test("a rejected value is reported and changes nothing", async () => {
  await operator.tune("pid1", "kd", "much");
  await operator.sees(() => operator.page.locator(".detail .row.fault").textContent()).toContain("“much” is not a number");
  expect(await site.sinew("param", "get", "pid1.kd")).toBe("100");
  await operator.page.getByLabel("kd", { exact: true }).press("Escape");
});

test("tuned values are saved to the file after showing the difference", async () => {
  const { page } = operator;
  await operator.tune("pid1", "kp", "72.5");
  const before = site.read("examples/janus/janus.yaml");
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save tuned values" });
  await operator.sees(() => dialog.locator("pre .added").last().textContent()).toContain("kp: 72.5");
  expect(site.read("examples/janus/janus.yaml")).toBe(before);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(() => Promise.resolve(site.read("examples/janus/janus.yaml"))).toBe(before.replace("kp: 80", "kp: 72.5"));
});

test("the log records changes", async () => {
  await operator.go("system");
  const log = operator.page.getByRole("log");
  await operator.sees(() => log.textContent()).toMatch(/: pid1\.kp .* → 4/);
  await operator.sees(() => log.textContent()).toMatch(/feed pid2\.sen/);
});
