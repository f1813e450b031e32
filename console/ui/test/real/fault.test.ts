// A block in error that stops the system: the page stays, with the block, its error and the time, and the system starts again from there.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

/** Gains one after the other, which make a large number infinite. */
const gains = Array.from({ length: 11 }, (_, i) => i);

beforeAll(async () => {
  const file = site.janus((text) =>
    text
      .replace("blocks:\n", `blocks:\n  large: {type: flow.Constant, thread: servo, params: {value: [0]}}\n${gains.map((i) => `  gain${i}: {type: flow.Gain, thread: servo, params: {gain: [1e30]}}\n`).join("")}`)
      .replace("links:\n", `links:\n${gains.map((i) => `  - ${i === 0 ? "large" : `gain${i - 1}`}.out -> gain${i}.in\n`).join("")}  - gain10.out[0] -> joint2.voltage\n`)
      .replace(/^ *- actuator\.\w+ -> joint2\.voltage\n/m, ""),
  );
  const other = site.system("examples/janus/pulse.yaml", "system: pulse\nthreads:\n  main: {period: 10ms}\nblocks:\n  wave: {type: flow.Wave, thread: main}\n");
  await site.sinew("run", other, "--fast", "--for", "100ms", "--quiet", "--record", "examples/janus/pulse.mcap");
  site.write("logs/README", "logs of runs\n");
  const [run, b] = await Promise.all([site.start(["run", file, "--console", "--quiet", "--record", "logs/janus.mcap"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

test("the page names the block that has stopped the system, and why and when", async () => {
  const { page } = operator;
  await operator.end(3);
  await operator.tune("large", "value", "[1e30]");
  await operator.sees(() => operator.param("large", "value")).toMatch(/^(\[1e\+30\])?$/); // as it is set, not as it was typed, or nothing: the system has stopped
  await operator.seesBar(/\d\d?:\d\d.*: block "joint2" is in error: .*; the system has stopped \(on_fault: stop\)/);
  await operator.seesBar("remove the cause, then start the system again");
  await operator.go("system");
  await page.reload();
  await operator.sees(() => page.locator("main").textContent()).toContain('block "joint2" is in error');
  await operator.seesBar('block "joint2" is in error');
  expect(await operator.strip("Stop…").isDisabled()).toBe(true);
});

test("the robot moves on the time bar before the fault, also on a page that was opened afterwards", async () => {
  const { page } = operator;
  await operator.go("robot");
  await page.locator(".canvas canvas").waitFor();
  await operator.sees(() => page.locator(".joint .num").count()).toBe(2);
  const end = await operator.end(3);
  const angles = async (): Promise<string> => (await page.locator(".joint .num").allTextContents()).join();
  for (const back of [0.5, 1, 1.5]) { // a move takes 0.7 s, and one begins each second
    const before = await angles();
    await operator.scrub(end - back);
    await operator.sees(angles).not.toBe(before);
    expect(await angles()).toMatch(/\d°.*\d°/);
  }
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const shared = await operator.share(site.folder);
  await operator.sees(() => shared.locator(".robot canvas").count()).toBe(1);
  await operator.sees(() => shared.getByLabel("Notes and events").textContent()).toContain('block "joint2" is in error');
  await shared.close();
});

test("the log of the run is listed, and those of other systems apart", async () => {
  const { page } = operator;
  await operator.go("scope");
  await page.getByRole("button", { name: "Log…" }).click();
  const dialog = page.getByRole("dialog");
  const own = dialog.getByRole("list", { name: `Recorded logs of ${site.name("janus")}` }).locator("button.plain");
  await operator.sees(() => own.allTextContents()).toEqual([expect.stringContaining("logs/janus.mcap")]);
  expect(await dialog.getByRole("list", { name: "Recorded logs of other systems" }).locator("button.plain").allTextContents()).toEqual([expect.stringContaining(`pulse.mcap — ${site.name("pulse")}`)]);
  await dialog.getByRole("button", { name: "Close" }).click();
});

test("the system starts again on the same page", async () => {
  const { page } = operator;
  await operator.go("system");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await operator.seesBar("");
  await operator.sees(() => operator.strip("Stop…").isEnabled()).toBe(true);
  await operator.strip("0 faults").waitFor();
});
