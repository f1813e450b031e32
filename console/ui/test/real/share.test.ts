// A shared page opens from its file without a network, and shows the robot as the log has it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { launch } from "../browser";
import { root } from "./build";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator | undefined;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => leave(site, browser, operator));

const hostile = '</script><img src=x onerror="window.hit=1"><b>';

/** Returns what @mcap/core reads of a topic: times in s, and values. */
function foreign(log: string, topic: string): Promise<{ time: number; value: number[] }[]> {
  const oracle = join(root, "internal/testkit/oracle");
  return new Promise((done, fail) => {
    const child = execFile("node", [join(oracle, "mcap-read.mjs")], { maxBuffer: 1 << 30 }, (error, out) => {
      if (error) return fail(error);
      const [file] = JSON.parse(out) as [{ messages: { topic: string; log: string; value: { data: number[] } }[] }];
      done(file.messages.filter((m) => m.topic === topic).map((m) => ({ time: Number(m.log) * 1e-9, value: m.value.data })));
    });
    child.stdin?.end(JSON.stringify([log]));
  });
}

/** Opens a page with the network off; its requests and errors are collected. */
async function offline(file: string): Promise<{ page: Page; requests: string[]; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
  const page = await context.newPage();
  const [requests, errors]: [string[], string[]] = [[], []];
  page.on("request", (r) => requests.push(r.url()));
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  await page.goto(pathToFileURL(file).href);
  return { page, requests, errors };
}

test("a page of a recorded Janus replays the log offline, and its texts are not markup", async () => {
  const system = site.janus((text) => text.replace(/^threads:/m, "watch: [robot.position]\nthreads:"));
  site.write("examples/janus/moves.star", "generator.moveTo([0.6, 0.4], 1)\nwait_until(1.5)\ngenerator.moveTo([0, 0], 1)\nwait_until(3)\n");
  await site.sinew("run", system, "--fast", "--quiet", "--record", "janus.mcap");
  await site.sinew("share", "janus.mcap", system, "-o", "run.html", "--note", hostile);
  const log = join(site.folder, "janus.mcap");
  const samples = await foreign(log, "/robot/position");
  const moving = samples.filter((s) => (s.value[0] ?? 0) > 0.2 && (s.value[0] ?? 0) < 0.4);
  const past = moving[Math.floor(moving.length / 2)] ?? expect.fail("joint 1 did not move");

  const { page, requests, errors } = await offline(join(site.folder, "run.html"));
  const angle = page.getByRole("table", { name: "Joints of robot" }).locator("td.num").first();
  await expect.poll(() => angle.textContent()).toMatch(/\d/);
  await page.getByLabel("Time shown").evaluate((input, time) => {
    (input as HTMLInputElement).value = String(time);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, past.time + 1e-6);
  await expect.poll(async () => Math.abs(Number(await angle.textContent()) - (past.value[0] ?? NaN))).toBeLessThan(6e-5); // four digits are shown
  await expect.poll(() => page.locator(".robot canvas").count()).toBe(1);
  expect(await page.getByRole("region", { name: "Plot of robot.position" }).locator("canvas").count()).toBe(1);

  const shown = await page.locator("output").textContent();
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => page.locator("output").textContent()).not.toBe(shown);

  await expect.poll(() => page.getByLabel("Notes and events").textContent()).toContain(hostile);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([pathToFileURL(join(site.folder, "run.html")).href]);
  expect(errors).toEqual([]);
  expect((await page.getByRole("group", { name: "Time" }).boundingBox())?.y).toBeGreaterThan(840); // the page has its styles and fills the window
  if (process.env["SHOTS"]) await page.screenshot({ path: join(process.env["SHOTS"], "share.png") });
  await page.setViewportSize({ width: 820, height: 500 });
  const edge = (selector: string, bottom: boolean): Promise<number> => page.locator(selector).evaluate((e, b) => e.getBoundingClientRect()[b ? "bottom" : "top"], bottom);
  await expect.poll(async () => (await edge(".side", false)) - (await edge(".joints", true)), { message: "px between the joints and the plots below them" }).toBeGreaterThanOrEqual(0);
});

test("a log that is open in the scope is shared as it is seen there", async () => {
  const run = await site.run(join(site.folder, "examples/janus/janus.yaml"));
  const tab = await Operator.at(browser, run);
  const { page } = tab;
  await tab.go("scope");
  await page.getByRole("button", { name: "Log…" }).click();
  await page.getByRole("button", { name: /^\S*janus\.mcap/ }).click();
  await tab.draw("pid1.out");
  await page.getByRole("toolbar", { name: "Scope" }).getByRole("button", { name: "Share…" }).click();
  await page.getByLabel("Note").fill("The whole run");
  await page.getByRole("dialog", { name: "Share the log" }).getByLabel("Time").selectOption("the whole log");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save page" }).click()]);
  expect(download.suggestedFilename()).toBe("janus.html");
  const file = join(site.folder, "log.html");
  await download.saveAs(file);
  await tab.close();
  await run.end();

  const samples = await foreign(join(site.folder, "janus.mcap"), "/robot/position");
  const shared = await offline(file);
  const angle = shared.page.getByRole("table", { name: "Joints of robot" }).locator("td.num").first();
  await shared.page.getByRole("region", { name: "Plot of pid1.out" }).locator("canvas").waitFor();
  const middle = samples[Math.floor(samples.length / 2)] ?? expect.fail("the log is empty");
  await shared.page.getByLabel("Time shown").evaluate((input, time) => {
    (input as HTMLInputElement).value = String(time);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, middle.time + 1e-6);
  await expect.poll(async () => Math.abs(Number(await angle.textContent()) - (middle.value[0] ?? NaN))).toBeLessThan(6e-5);
  expect(await shared.page.getByLabel("Notes and events").textContent()).toContain("The whole run");
  expect(shared.errors).toEqual([]);
  if (process.env["SHOTS"]) await shared.page.screenshot({ path: join(process.env["SHOTS"], "log.png") });
});

test("the button Share saves the last minutes with what was changed", async () => {
  const run = await site.run(site.janus());
  operator = await Operator.at(browser, run);
  const { page } = operator;
  const button = page.getByRole("button", { name: "Share", exact: true });
  await operator.sees(() => button.isEnabled()).toBe(true);
  await operator.tune("pid1", "kp", "70");
  await button.click();
  await page.getByLabel("Note").fill(hostile);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save page" }).click()]);
  const file = join(site.folder, "shared.html");
  await download.saveAs(file);

  const shared = await offline(file);
  const angle = shared.page.getByRole("table", { name: "Joints of robot" }).locator("td.num").first();
  await expect.poll(() => angle.textContent()).toMatch(/\d/);
  await expect.poll(() => shared.page.getByLabel("Notes and events").textContent()).toContain("pid1.kp 80 → 70");
  expect(await shared.page.getByLabel("Notes and events").textContent()).toContain(hostile);
  await expect.poll(() => shared.page.locator(".flag.change").count()).toBe(1);
  const before = await angle.textContent();
  await shared.page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => angle.textContent()).not.toBe(before);
  expect(shared.requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([pathToFileURL(file).href]);
  expect(shared.errors).toEqual([]);
  if (process.env["SHOTS"]) await shared.page.screenshot({ path: join(process.env["SHOTS"], "button.png") });
});
