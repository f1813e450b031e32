// The page Plan of a console without a system: the goal of an arm and an obstacle are dragged, and the motion follows.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { arrow } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.copy("models/panda");
  site.write("models/slider.urdf", slider);
  const ends = ["--start", "-0.8,0.2,0,-1.8,0,2,0.8,0.02", "--goal", "0.8,0.2,0,-1.8,0,2,0.8,0.02"];
  const [run, b] = await Promise.all([site.start(["plan", "models/panda/panda.urdf", "--console", ...ends]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, operator));

const made = async (): Promise<number> => Number(await operator.page.locator(".stage").getAttribute("data-plans"));
const result = (): Promise<string> => operator.page.getByRole("status", { name: "Plan" }).innerText();
const joint = (name: string): Promise<string> => operator.page.locator(".joint", { hasText: name }).locator(".num").innerText();

/** Prints the parts of a drag, their median and 95th percentile, and returns the latter. */
async function report(what: string): Promise<Record<string, number>> {
  const [p50, p95] = await Promise.all(["data-p50", "data-p95"].map(async (name) => JSON.parse((await operator.page.locator(".stage").getAttribute(name)) ?? "{}") as Record<string, number>));
  console.log(`drag to motion ${what}, ms, each part alone (p50/p95): ${Object.entries(p95 ?? {}).map(([part, ms]) => `${part} ${p50?.[part]?.toFixed(1)}/${ms.toFixed(1)}`).join(", ")}`);
  return p95 ?? {};
}

test("a motion is there at once, and it plays", async () => {
  const { page } = operator;
  await operator.sees(result).toMatch(/proved|sampled/);
  await page.getByRole("button", { name: "Play" }).click();
  await operator.sees(async () => Number(await page.getByRole("slider", { name: "Time of the motion" }).inputValue())).toBeGreaterThan(0.05);
});

test("dragging the hand of the goal gives a new motion", async () => {
  const { page } = operator;
  const [before, first] = [await joint("panda_joint4"), await made()];
  const grip = await arrow(operator);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.evaluate(() => {
    const canvas = document.querySelector(".stage canvas");
    canvas?.addEventListener("pointermove", (e) => canvas.setAttribute(e.isTrusted ? "data-framed" : "data-raw", "yes"));
  });
  for (let i = 1; i <= 60; i++) await page.mouse.move(grip.x, grip.y - 40 * Math.sin(i / 12));
  const canvas = page.locator(".stage canvas").first();
  expect([await canvas.getAttribute("data-raw"), await canvas.getAttribute("data-framed")], "moves reach the handle at once, and not again with the frame").toEqual(["yes", null]);
  await operator.sees(made).toBeGreaterThan(first);
  await page.mouse.up();
  await operator.sees(() => joint("panda_joint4")).not.toBe(before);
  await operator.sees(result).toMatch(/planned in/);
  const p95 = await report(`of ${(await made()) - first} plans`);
  expect(p95["all"]).toBeGreaterThan(p95["server"] ?? NaN);

  // The same in a small picture, which costs little to draw: what is left is not the drawing's.
  await page.setViewportSize({ width: 520, height: 320 });
  const small = await arrow(operator);
  await page.mouse.move(small.x, small.y);
  await page.mouse.down();
  for (let i = 1; i <= 240; i++) await page.mouse.move(small.x, small.y - 15 * Math.sin(i / 12)); // more than the 200 that count
  await page.mouse.up();
  await report("in a small picture");
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("an obstacle in the way makes the motion longer; moved away, it is as before", async () => {
  const { page } = operator;
  const length = async (): Promise<number> => Number(/length\s+([\d.]+)/.exec(await result())?.[1]);
  const straight = await length();
  await page.getByRole("button", { name: "+ Box" }).click();
  await operator.sees(length).toBeGreaterThan(straight + 0.1);
  await page.getByLabel("z of box1 in m", { exact: true }).fill("3");
  await page.getByLabel("z of box1 in m", { exact: true }).press("Enter");
  await operator.sees(length).toBeCloseTo(straight, 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await operator.sees(length).toBeGreaterThan(straight + 0.1);
});

test("a goal in collision names the bodies and how deep they overlap", async () => {
  const { page } = operator;
  await page.getByLabel("box x of box1 in m").fill("3");
  await page.getByLabel("box x of box1 in m").press("Enter");
  await page.getByLabel("box y of box1 in m").fill("3");
  await page.getByLabel("box y of box1 in m").press("Enter");
  await operator.sees(result).toMatch(/in collision[^]*box1[^]*overlap by [\d.]+ mm/);
  await page.getByRole("button", { name: "Remove box1" }).click();
  await operator.sees(result).toMatch(/planned in/);
});

test("obstacles are saved as a scene that the command reads", async () => {
  const { page } = operator;
  await page.getByRole("button", { name: "+ Sphere" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save…" }).click()]);
  const file = `${site.folder}/scene.yaml`;
  await download.saveAs(file);
  expect(site.read("scene.yaml")).toContain("sphere1");
  const plan = await site.sinew("plan", "models/slider.urdf", "--scene", "scene.yaml", "--start", "slide=0", "--goal", "slide=0.1");
  expect(plan).toContain("1 obstacle");
});

/** A robot of one box that slides. */
const slider = `<robot name="slider"><link name="world"/><link name="box"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="world"/><child link="box"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`;
