// The page Plan with a running arm: it starts where the robot is, and the robot moves along the plan.
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const file = site.system("examples/arm/arm.yaml", site.read("examples/arm/arm.yaml"));
  const [run, b] = await Promise.all([site.run(file, "--param", "motion.running=false"), launch()]);
  browser = b;
  arm = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, arm));

const position = async (): Promise<number[]> => (JSON.parse(await site.sinew("tap", "robot.position", "--count", "1", "--json")) as { value: number[] }).value;
const joint = (name: string): Promise<string> => arm.page.locator(".joint", { hasText: name }).locator(".num").innerText();

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
}, 60_000);
