// The palette with a running Janus: tunes, holds, releases, calls, plots and stops.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
  await operator.go("tree");
});
afterAll(() => leave(site, browser, operator));

/** Gives an order in the palette and returns the answer. */
async function order(text: string): Promise<string> {
  const { page } = operator;
  if ((await page.getByRole("dialog", { name: "Search" }).count()) === 0) await page.locator("body").press("/");
  await page.locator(".palette input").fill(text);
  await page.keyboard.press("Enter");
  const status = page.locator("#palette-status.done, #palette-status.bad");
  await status.waitFor();
  return status.innerText();
}

async function value(port: string): Promise<number> {
  return (JSON.parse(await site.sinew("tap", port, "--count", "1", "--json")) as { value: number }).value;
}

test("a parameter is set, and the answer shows both values", async () => {
  await order("pid1.kp 80");
  expect(await order("pid1.kp 90")).toBe("pid1.kp: 80 → 90");
  expect(await site.sinew("param", "get", "pid1.kp")).toBe("90");
  expect(await order("pid1.kp = 81.5")).toBe("pid1.kp: 90 → 81.5");
  expect(await order("pid1.urdf 3")).toContain("pid1 has no parameter urdf");
  expect(await site.sinew("param", "get", "pid1.kp")).toBe("81.5");
});

test("a port is held and released", async () => {
  expect(await order("hold pid2.sen 0.25")).toContain("pid2.sen is held at 0.25");
  expect(await value("pid2.sen")).toBe(0.25);
  expect(await order("release pid2.sen")).toBe("Released: pid2.sen");
  await operator.sees(() => value("pid2.sen")).not.toBe(0.25);
  expect(await order("release pid2.sen")).toBe("no port is held");
});

test("an operation is called, and its error is shown in place", async () => {
  expect(await order("call generator.moveTo [0.3, 0.2] 0.5")).toBe("generator.moveTo: done");
  expect(await order("call generator.moveTo [0.3, 0.2] -1")).toContain("duration must be a time from");
});

test("signals are plotted alone; others stay hidden", async () => {
  const { page } = operator;
  await page.locator(".palette input").fill("plot controller.error1 pid1.out");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/scope/);
  await operator.sees(() => operator.measured("pid1.out", "rms")).toBeGreaterThan(0);
  expect(await page.getByRole("dialog", { name: "Search" }).count()).toBe(0);
});

test("the system is stopped", async () => {
  expect(await order("stop")).toContain("is stopping");
  await operator.sees(() => site.sinew("ps").catch(String)).not.toContain(site.name("janus"));
});
