// The page Plan with a running arm: it starts where the robot is, and the robot moves along the plan.
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { cutAtEdges } from "./picture";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;
let run: Run;

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const file = site.system("examples/arm/arm.yaml", site.read("examples/arm/arm.yaml"));
  [run, browser] = await Promise.all([site.run(file, "--param", "motion.running=false"), launch()]);
  arm = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, arm));

const position = async (): Promise<number[]> => (JSON.parse(await site.sinew("tap", "robot.position", "--count", "1", "--json")) as { value: number[] }).value;
const joint = (name: string): Promise<string> => arm.page.locator(".joint", { hasText: name }).locator(".num").innerText();

test("on a tablet the robot is inside the picture, where it stands in the running system too", async () => {
  const tablet = await Operator.at(browser, run, { width: 820, height: 1180, dark: true });
  await tablet.go("plan");
  await tablet.page.getByRole("button", { name: "Start", exact: true }).click();
  await tablet.sees(() => tablet.page.locator(".joint", { hasText: "panda_joint4" }).locator(".num").innerText()).toMatch(/^−13[45]/); // −2.3562 rad, where it is
  await tablet.sees(() => cutAtEdges(tablet)).toBeLessThan(12);
  await tablet.close();
});

test("the start is where the robot is, and the robot moves to the goal", async () => {
  const { page } = arm;
  await arm.go("plan");
  await page.locator(".joint").first().waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await arm.sees(() => joint("panda_joint4")).toMatch(/^−13[45]/); // −2.3562 rad
  await page.getByRole("button", { name: "Goal", exact: true }).click();
  await page.getByRole("slider", { name: "panda_joint1" }).fill("0.5");
  await page.getByRole("slider", { name: "panda_joint2" }).fill("-0.4");
  await page.getByRole("slider", { name: "panda_joint4" }).fill("-2.0");
  await page.getByRole("slider", { name: "panda_joint6" }).fill("1.6");
  await arm.sees(() => page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/planned in/);
  await page.getByRole("button", { name: "Move there" }).click();
  await arm.sees(async () => Math.abs(((await position())[0] ?? NaN) - 0.5)).toBeLessThan(0.02);
});
