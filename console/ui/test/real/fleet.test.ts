// One console for several separately started systems that start and end while the page shows them.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let janus: Run;
let file: string;

beforeAll(async () => {
  file = site.janus();
  janus = site.spawn(["run", file, "--quiet"]);
  site.spawn(["run", site.system("pulse.yaml", pulse), "--quiet"]);
  const [console, b] = await Promise.all([site.start(["console"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, console);
});
afterAll(() => leave(site, browser, operator));

const pulse = `system: pulse
threads:
  main: {period: 20ms}
blocks:
  wave: {type: flow.Wave, thread: main, params: {shape: square}}
`;

const chooser = () => operator.page.getByLabel("System", { exact: true });

test("the page lists both systems and shows the selected one", async () => {
  await operator.sees(async () => (await chooser().locator("option").allTextContents()).sort()).toEqual([site.name("janus"), site.name("pulse")]);
  await chooser().selectOption(site.name("pulse"));
  await operator.block("wave");
  await operator.sees(() => operator.port("out").locator(".num").textContent()).toBe("−1");
  await chooser().selectOption(site.name("janus"));
  await operator.block("pid1");
  await operator.sees(() => operator.port("out").locator(".num").textContent()).toMatch(/\d/);
});

test("a system whose front is killed is shown as ended until it is resumed", async () => {
  await janus.end("SIGKILL");
  await operator.seesBar("has ended");
  expect(await operator.page.locator(".detail h2").textContent()).toBe("pid1");
  site.spawn(["run", file, "--quiet", "--resume"]);
  await operator.seesBar("");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  const before = await shown();
  await operator.sees(shown).not.toBe(before);
});
