// Gains, overrides and blocks switched off: what an operator does with a running Janus.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

/** What sinew, asked in a terminal, says of a port. */
async function value(port: string): Promise<number> {
  return (JSON.parse(await site.sinew("tap", port, "--count", "1", "--json")) as { value: number }).value;
}

test("a gain is tuned on the page Tree, and the scope shows what it does", async () => {
  await operator.draw("controller.error1", "pid1.out");
  await operator.page.getByLabel("Span of time").selectOption({ label: "2 s" });
  await operator.sees(() => operator.measured("pid1.out", "rms")).toBeGreaterThan(0);
  await pause(2_000);
  const stiff = await operator.measured("controller.error1", "max");
  await operator.tune("pid1", "kp", "4");
  expect(await site.sinew("param", "get", "pid1.kp")).toBe("4");
  await operator.go("scope");
  await operator.sees(() => operator.measured("controller.error1", "max")).toBeGreaterThan(3 * stiff);
});

test("an input is held by hand, and released", async () => {
  await operator.block("pid2");
  const row = operator.port("sen");
  await row.hover();
  await row.getByRole("button", { name: "Hold pid2.sen" }).click();
  await row.getByLabel("Value for pid2.sen").fill("0.25");
  await row.getByRole("button", { name: "Set" }).click();
  await operator.sees(() => row.textContent()).toContain("held by hand");
  expect(await value("pid2.sen")).toBe(0.25);
  await row.getByRole("button", { name: "Release" }).click();
  await operator.sees(() => row.textContent()).toContain("controller.sen2");
  await operator.sees(() => value("pid2.sen")).not.toBe(0.25);
});

test("a block is disabled: its outputs stay; enabled again it goes on", async () => {
  await operator.block("pid2");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.page.getByRole("button", { name: "Disable", exact: true }).click();
  await operator.page.getByRole("button", { name: "Enable", exact: true }).waitFor();
  await pause(400);
  const stood = await shown();
  await pause(600);
  expect(await shown()).toBe(stood);
  await operator.page.getByRole("button", { name: "Enable", exact: true }).click();
  await operator.sees(shown).not.toBe(stood);
  await operator.page.getByRole("button", { name: "Disable", exact: true }).waitFor();
});

test("a value that is refused says why and changes nothing", async () => {
  await operator.tune("pid1", "kd", "much");
  await operator.sees(() => operator.page.locator(".detail .row.fault").textContent()).toContain("“much” is no number");
  expect(await site.sinew("param", "get", "pid1.kd")).toBe("100");
  await operator.page.getByLabel("kd", { exact: true }).press("Escape");
});

test("tuned values are saved into the file after a look at the difference", async () => {
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

test("the log says who has changed what", async () => {
  await operator.go("system");
  const log = operator.page.getByRole("log");
  await operator.sees(() => log.textContent()).toMatch(/set pid1.*kp.*4/);
  await operator.sees(() => log.textContent()).toMatch(/feed pid2\.sen/);
});
