// The time bar: robot, net and scope show a moving Janus at a time that has passed.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator, stands } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const port = "robot.position";
const tolerance = 0.05; // rad: about 30 ms of the motion, at 1.6 rad/s
const toNumber = (text: string): number => parseFloat(text.replace("−", "-"));

/** Returns the angle of joint1 on the page Robot, in rad. */
async function angle(): Promise<number> {
  return (toNumber((await operator.page.locator(".joint .num").first().textContent()) ?? "") * Math.PI) / 180;
}

test("robot, net and scope follow the time bar together, and Live returns", async () => {
  const { page } = operator;
  await operator.go("scope", "", `?add=${encodeURIComponent(`${port}[0]`)}`);
  await operator.sees(() => operator.measured(`${port}[0]`, "max")).toBeGreaterThan(0.1);
  await operator.sees(() => page.getByRole("button", { name: "Live", exact: true }).isEnabled()).toBe(true);
  // Samples in motion, as the command sinew reports them.
  const samples = (await site.sinew("tap", port, "--count", "400", "--json"))
    .split("\n")
    .map((line) => JSON.parse(line) as { time_ns: number; value: number[] })
    .map((s) => ({ time: s.time_ns * 1e-9, value: s.value[0] ?? NaN }));
  const moving = samples.filter((s) => s.value > 0.25 && s.value < 0.4);
  const past = moving[Math.floor(moving.length / 2)] ?? expect.fail("joint1 did not move");
  await operator.sees(async () => Number(await page.getByLabel("Time shown").getAttribute("max"))).toBeGreaterThan(past.time);

  await operator.go("robot");
  await operator.sees(() => page.locator(".joint .num").count()).toBe(2);
  await operator.scrub(past.time);
  await operator.sees(async () => Math.abs((await angle()) - past.value)).toBeLessThan(tolerance);
  await stands(() => page.locator(".joint .num").allTextContents());
  expect(Math.abs((await angle()) - past.value)).toBeLessThan(tolerance);

  await operator.go("net", "robot");
  const row = page.locator("[role=listitem]").filter({ has: page.locator(".name", { hasText: /^position$/ }) });
  await operator.sees(async () => Math.abs(toNumber(((await row.locator(".num").textContent()) ?? "").replace("[", "")) - past.value)).toBeLessThan(tolerance);

  await operator.go("scope");
  await operator.sees(async () => Math.abs((await operator.measured(`${port}[0]`, "now")) - past.value)).toBeLessThan(tolerance);
  await operator.sees(() => page.getByRole("group", { name: "Time" }).textContent()).toMatch(/ago/);

  await page.getByRole("button", { name: "Live", exact: true }).click();
  await operator.sees(() => page.getByRole("button", { name: /Hold/ }).count()).toBe(1);
  await operator.go("robot");
  const first = await angle();
  await operator.sees(angle).not.toBe(first);
});

test("plots of the cockpit show the past, stand still there, and run again", async () => {
  const { page } = operator;
  await operator.go("cockpit");
  const plot = page.locator(".picture.plot").first();
  const picture = async (): Promise<string> => (await plot.screenshot()).toString("base64");
  await plot.locator("canvas").waitFor();
  const end = Number(await page.getByLabel("Time shown").getAttribute("max"));
  await operator.scrub(end - 1);
  const past = await stands(picture);
  await operator.scrub(end - 2);
  await operator.sees(picture).not.toBe(past);
  const before = await stands(picture);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await operator.sees(picture).not.toBe(before);
  const live = await picture();
  await operator.sees(picture).not.toBe(live);
});

test("changes are flags on the time bar, and lead to their time", async () => {
  const { page } = operator;
  await operator.tune("pid1", "kp", "70");
  const flag = page.locator(".flag.change").last();
  await operator.sees(() => page.locator(".flag.change").count()).toBeGreaterThan(0);
  expect(await flag.getAttribute("title")).toContain("pid1");
  await page.getByRole("button", { name: "Previous event" }).click();
  await operator.sees(() => page.getByRole("group", { name: "Time" }).textContent()).toMatch(/ago/);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await operator.sees(() => page.getByRole("group", { name: "Time" }).textContent()).not.toMatch(/ago/);
});
