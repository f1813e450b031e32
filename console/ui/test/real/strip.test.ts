// The strip on every page: what is held, disabled, in error or not finite is counted, listed and released.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let run: Run;

const gains = Array.from({ length: 11 }, (_, i) => `g${i + 1}`); // 1e30 each: the last ones are infinite
const lab = `system: lab
threads:
  main: {period: 10ms}
blocks:
  wave:  {type: flow.Wave, thread: main}
  twice: {type: flow.Gain, thread: main, params: {gain: [2]}}
  one:   {type: flow.Constant, thread: main, params: {value: [1]}}
${gains.map((g) => `  ${g}: {type: flow.Gain, thread: main, params: {gain: [1.0e+30]}}`).join("\n")}
links:
  - wave.out -> twice.in
${gains.map((g, i) => `  - ${gains[i - 1] ?? "one"}.out -> ${g}.in`).join("\n")}
`;

beforeAll(async () => {
  [run, browser] = await Promise.all([site.run(site.system("lab.yaml", lab)), launch()]);
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

/** The name of the strip's button with the slips; from 1,000 on a thin space divides the digits. */
const slipCount = /^[\d\s]+ slips?$/;

/** The block's button in the list of the net for screen readers. */
const inNet = (name: string) => operator.page.locator(".reader button", { hasText: new RegExp(`^${name}( |$)`) });

test("every page shows the strip with its counts and Stop, and so do the editor and pages side by side", async () => {
  const { page } = operator;
  const shows = async (): Promise<void> => {
    await operator.strip("0 held").waitFor();
    await operator.strip(slipCount).waitFor();
    await operator.strip("0 faults").waitFor();
    expect(await operator.strip("Stop…").isEnabled()).toBe(true);
  };
  for (const name of ["cockpit", "net", "tree", "scope", "robot", "panels", "system", "tune", "plan"] as const) {
    await operator.go(name);
    await shows();
  }
  await operator.go("net", "", "?edit=1");
  await page.getByText("No problems found").waitFor();
  await shows();
  await page.evaluate(() => (location.hash = "#/50:tree|50:plan"));
  await operator.sees(() => page.locator("main > .slot").count()).toBe(2);
  await shows();
  await operator.go("cockpit");
});

test("held ports are counted on every page, marked in the net, and released together", async () => {
  await operator.go("net");
  await operator.block("twice");
  for (const port of ["in", "out"]) {
    await operator.sees(() => operator.port(port).locator(".num").textContent()).toMatch(/\d/);
    await operator.port(port).getByRole("button", { name: /Override/ }).click();
    await operator.port(port).getByRole("button", { name: "Set" }).click();
  }
  await operator.strip("2 held").click();
  const list = operator.page.getByRole("dialog", { name: "2 held" });
  await operator.sees(() => list.locator(".name").allTextContents()).toEqual(["twice.in", "twice.out"]);
  await list.getByRole("button", { name: "twice.in" }).click();
  await operator.page.waitForURL(/#\/net\/twice/);
  await operator.sees(() => inNet("twice").textContent()).toContain("[held]");
  await operator.go("scope");
  await operator.strip("Release all").click();
  await operator.strip("0 held").waitFor();
  await operator.go("net");
  await operator.sees(() => inNet("twice").textContent()).not.toContain("held");
});

test("outputs with NaN are counted, and marked in the net", async () => {
  await operator.go("net");
  await operator.strip(/^\d not finite$/).click();
  await operator.sees(() => operator.page.locator(".strip .list .name").allTextContents()).toContain("g11.out");
  await operator.sees(() => inNet("g11").textContent()).toContain("[not finite]");
});

test("a disabled block is counted and enabled from the list", async () => {
  await operator.go("net", "twice");
  await operator.page.getByRole("button", { name: "Disable", exact: true }).click();
  await operator.strip("1 disabled").click();
  await operator.sees(() => inNet("twice").textContent()).toContain("[disabled]");
  await operator.page.getByRole("dialog", { name: "1 disabled" }).getByRole("button", { name: "Enable" }).click();
  await operator.sees(() => operator.strip("1 disabled").count()).toBe(0);
});

test("periods that a thread has missed are counted, and listed by thread", async () => {
  const slips = async (): Promise<number> => Number((await operator.strip(slipCount).innerText()).replace(/\D/g, ""));
  await operator.go("tree");
  const before = await slips();
  run.signalCore("SIGSTOP"); // a process that stands still misses every period
  await pause(2_000);
  run.signalCore("SIGCONT");
  await operator.sees(slips).toBeGreaterThanOrEqual(before + 190);
  await operator.strip(slipCount).click();
  const list = operator.page.getByRole("dialog", { name: /slips$/ });
  await operator.sees(() => list.innerText()).toMatch(/main[\s\S]*\d missed periods/);
  await operator.page.keyboard.press("Escape");
});

test("Stop is reached by keyboard from a text field, and describes what happens", async () => {
  const { page } = operator;
  await operator.go("tree");
  await page.keyboard.press("f");
  await page.keyboard.press("Alt+s");
  const dialog = page.getByRole("dialog", { name: /^Stop lab/ });
  await operator.sees(() => dialog.innerText()).toMatch(/14 blocks stop, the last one first\.[\s\S]*None of 14 outputs has a safe value/);
  await page.keyboard.press("Escape");
  await operator.sees(() => dialog.count()).toBe(0);
  await operator.strip("0 held").waitFor();
  await page.keyboard.press("Alt+s");
  await dialog.waitFor();
  await page.keyboard.press("Enter");
  await operator.seesBar("has ended");
  await operator.sees(() => operator.page.locator(".strip").innerText()).toContain("Ended");
});
