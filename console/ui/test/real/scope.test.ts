// Several plots of the page Scope, with a wave of known frequency and amplitude from a running system.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

const frequency = 2.3; // Hz
const amplitude = 0.8;

beforeAll(async () => {
  const file = site.system(
    "waves.yaml",
    `system: waves
threads:
  main: {period: 20ms}
blocks:
  wave: {type: flow.Wave, thread: main, params: {frequency: ${frequency}, amplitude: ${amplitude}, offset: 3}}
  other: {type: flow.Wave, thread: main, params: {frequency: ${frequency}, phase: 0.25}}
`,
  );
  const [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

test("a second plot, an XY plot and a spectrum show a known wave", async () => {
  const { page } = operator;
  const plot = (at: number) => page.getByRole("region", { name: `Plot ${at}` });
  await page.evaluate(() => localStorage.clear()); // of an earlier attempt
  await page.reload();
  await operator.draw("wave.out");
  await page.getByLabel("Time span").selectOption({ label: "2 s" });
  await page.getByLabel("Add a plot").selectOption("time");
  await operator.draw("other.out");
  await operator.sees(() => plot(2).locator(".chip").textContent()).toContain("other.out");

  await page.getByLabel("Add a plot").selectOption("xy");
  await operator.sees(() => page.getByLabel("Horizontal axis of plot 3").inputValue()).toBe("wave.out");
  await operator.sees(() => plot(3).locator(".notes").count()).toBe(0);

  await page.getByLabel("Add a plot").selectOption("spectrum");
  await page.getByLabel("Add a signal to plot 4").selectOption("wave.out");
  const chip = plot(4).locator(".chip").filter({ has: page.getByRole("button", { name: "wave.out", exact: true }) }); // not that of a formula of it
  /** The reading of the highest peak, as "2.3 Hz · 0.8", or else why there is none. */
  const peak = async (): Promise<string> => (await chip.locator(".reading").or(plot(4).locator(".notes")).allTextContents()).join("; ");
  const isOfWave = (text: string): boolean => {
    const [hertz = NaN, height = NaN] = text.split("·").map((part) => parseFloat(part));
    return Math.abs(hertz - frequency) < 0.05 && Math.abs(height / amplitude - 1) < 0.02;
  };
  await expect.poll(peak).toSatisfy(isOfWave);

  // A formula without the offset has the same peak, and the mean of a sine.
  await page.getByLabel("Search signals").fill("= (wave.out - 3) * 2");
  await page.getByLabel("Search signals").press("Enter");
  await operator.sees(() => operator.measured("= (wave.out - 3) * 2", "max")).toBeGreaterThan(1.9 * amplitude);
  await operator.sees(() => operator.measured("= (wave.out - 3) * 2", "max")).toBeLessThan(2.001 * amplitude);

  await page.reload();
  await operator.sees(() => page.locator(".pane").count()).toBe(4);
  await expect.poll(peak).toSatisfy(isOfWave);
});
