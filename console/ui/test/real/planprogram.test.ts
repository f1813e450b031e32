// The page Plan with an arm whose block servo.Program runs the planned path.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const file = site.system("examples/arm/program.yaml", site.read("examples/arm/program.yaml").replace("autostart: true", "autostart: false"));
  const [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  arm = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, arm));

const value = async (ref: string): Promise<unknown> => (JSON.parse(await site.sinew("tap", ref, "--count", "1", "--json")) as { value: unknown }).value;

test("the block that runs programs moves the robot along the path, without a stop, to the goal", async () => {
  const { page } = arm;
  await arm.go("plan");
  await page.locator(".joint").first().waitFor();
  await arm.sees(() => page.locator("aside").innerText()).not.toMatch(/joints at rest/); // the start is where the robot is, as soon as that is known
  await page.getByRole("button", { name: "Goal", exact: true }).click();
  await page.getByRole("slider", { name: "panda_joint1" }).fill("0.5");
  await page.getByRole("slider", { name: "panda_joint2" }).fill("-0.4");
  await arm.sees(() => page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/planned in/);
  const button = page.getByRole("button", { name: "Move there" });
  await arm.sees(() => button.getAttribute("title")).toMatch(/^program runs the path without a stop/);
  // The times are those of the block: its limits, and which of them bind.
  const plan = page.getByRole("status", { name: "Plan" });
  await arm.sees(() => plan.innerText()).toMatch(/Move 1 \(movePath\)\s+Binding: /);
  const slider = page.getByRole("slider", { name: "Time in the motion of Move there" });
  await slider.press("PageUp");
  await arm.sees(async () => {
    const total = Number(await slider.getAttribute("aria-valuemax"));
    return (await plan.innerText()).includes(`${(0.1 * total).toFixed(2)} of ${total.toFixed(2)} s`);
  }).toBe(true);
  await arm.sees(() => plan.innerText()).toMatch(/(speed|acceleration|jerk) of panda_joint\d at \d+ %/);
  expect(await value("program.state")).toBe(0);
  await button.click();
  await arm.sees(() => value("program.state")).toBe(5); // ended
  const q = (await value("robot.position")) as number[];
  expect(q[0]).toBeCloseTo(0.5, 1);
  expect(q[1]).toBeCloseTo(-0.4, 1);
});
