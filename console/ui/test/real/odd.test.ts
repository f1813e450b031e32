// Unusual systems: non-finite values, a block with 500 ports, long names, a net of 500 blocks, a missing mesh.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.copy("models/janus");
  site.write("models/janus/janus.urdf", site.read("models/janus/janus.urdf").replace('<box size="0.06 0.06 0.25"/>', '<mesh filename="meshes/gone.stl"/>'));
  const [run, b] = await Promise.all([site.run(site.system("odd.yaml", odd())), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const longName = "a_name_that_is_much_longer_than_anybody_would_type_0123456789";

/** Returns a net of 500 blocks, one with 500 ports, and unusual names. */
function odd(): string {
  const blocks = ["Größe", "ros-2_ß", "блок", "块", longName].map((name, i) => `  ${name}: {type: flow.Wave, thread: main, params: {frequency: ${0.1 * (i + 1)}}}`);
  blocks.push("  wide: {type: flow.Demux, thread: main, params: {n: 500}}", "  source: {type: flow.Constant, thread: main, params: {value: [" + Array(500).fill(1).join(", ") + "]}}");
  blocks.push("  robot: {type: servo.SimRobot, thread: main, params: {urdf: models/janus/janus.urdf, drives: models/janus/drives.yaml}}");
  blocks.push("  mux: {type: flow.Mux, thread: main, params: {n: 2}}");
  const links = ["  - source.out -> wide.in", "  - wide.out1 -> mux.in1", "  - wide.out2 -> mux.in2"];
  blocks.push("  large: {type: flow.Constant, thread: main, params: {value: [1e30]}}", "  minus: {type: flow.Gain, thread: main, params: {gain: [-1]}}");
  for (let i = 0; i < 10; i++) {
    blocks.push(`  larger${i}: {type: flow.Gain, thread: main, params: {gain: [1e30]}}`);
    links.push(`  - ${i === 0 ? "large" : `larger${i - 1}`}.out -> larger${i}.in`);
  }
  blocks.push("  difference: {type: flow.Sum, thread: main, params: {signs: +-}}");
  links.push("  - larger9.out -> minus.in", "  - larger9.out -> difference.in1", "  - larger9.out -> difference.in2");
  for (let i = 0; i < 478; i++) {
    blocks.push(`  gain${i}: {type: flow.Gain, thread: main, params: {gain: [1]}}`);
    links.push(`  - ${i % 50 === 0 ? "source.out[0]" : `gain${i - 1}.out`} -> gain${i}.in`);
  }
  return `system: odd\nthreads:\n  main: {period: 20ms}\nblocks:\n${blocks.join("\n")}\nlinks:\n${links.join("\n")}\n`;
}

test("500 blocks and a block with 500 ports are drawn", async () => {
  const { page } = operator;
  await operator.go("net");
  await operator.sees(() => page.locator(".reader li").count()).toBe(500);
  await operator.block("wide");
  await operator.sees(() => page.locator(".detail [role=listitem]").count()).toBe(501);
  await operator.sees(() => operator.port("out500").locator(".num").textContent()).toBe("1");
});

test("NaN and infinity on a port are shown as such", async () => {
  const { page } = operator;
  await operator.draw("larger9.out");
  await operator.draw("difference.out");
  for (const [block, value] of [["larger9", "+Inf"], ["minus", "-Inf"], ["difference", "NaN"]] as const) {
    await operator.block(block);
    await operator.sees(() => operator.port("out").locator(".num").textContent()).toContain(value);
  }
  await operator.go("scope");
  await operator.sees(() => page.locator(".table .gaps").allTextContents()).toEqual([expect.stringContaining("+Inf"), expect.stringContaining("NaN")]);
});

test("an override with NaN or infinity is rejected with a reason", async () => {
  await operator.block("mux");
  const row = operator.port("in1");
  await row.getByRole("button", { name: "Override mux.in1" }).click();
  for (const value of ["NaN", "+Inf", "1e300"]) {
    await row.getByLabel("Value for mux.in1").fill(value);
    await row.getByRole("button", { name: "Set" }).click();
    await operator.sees(() => row.locator(".fault").textContent()).toMatch(/NaN|Inf|1e\+?300/);
  }
});

test("a parameter value NaN is rejected with a reason", async () => {
  await operator.tune("Größe", "offset", "NaN");
  await operator.sees(() => operator.page.locator(".detail .row.fault").textContent()).toContain("NaN");
  await operator.page.getByLabel("offset", { exact: true }).press("Escape");
  expect(await operator.param("Größe", "offset")).toBe("0");
});

test("names in any script are found, opened and drawn", async () => {
  const { page } = operator;
  for (const name of ["блок", "块", "ros-2_ß", longName]) {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await operator.sees(() => page.getByRole("heading", { name, exact: true }).count()).toBe(1);
    await operator.draw(`${name}.out`);
    await operator.sees(() => operator.measured(`${name}.out`, "now")).not.toBeNaN();
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test("a missing mesh is drawn as a box and reported on the page and in the log", async () => {
  const { page } = operator;
  await operator.go("robot");
  await operator.sees(() => page.locator(".notes").textContent()).toContain("gone.stl");
  await operator.go("system");
  await operator.sees(() => page.getByRole("log").textContent()).toContain("gone.stl");
  operator.ignoreErrors(/404/);
});
