// The arm of the tutorial on the page Robot: its tool is dragged to a goal, to which JerkLimited moves it.
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { arrow } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const file = site.system("examples/arm/arm.yaml", site.read("examples/arm/arm.yaml"));
  const [run, b] = await Promise.all([site.start(["run", file, "--overlay", `${site.folder}/examples/arm/ur5.yaml`, "--param", "motion.running=false", "--console", "--quiet"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, operator));

/** Returns the value of a port as reported by the command sinew. */
async function value<T>(port: string): Promise<T> {
  return (JSON.parse(await site.sinew("tap", port, "--count", "1", "--json")) as { value: T }).value;
}

test("the tool of an arm is dragged to a goal, and the arm moves there", async () => {
  const { page } = operator;
  await operator.go("robot");
  await operator.sees(() => page.locator(".joint .num").count()).toBe(6);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const grip = await arrow(operator);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, grip.y + 40, { steps: 8 });
  await page.mouse.up();
  await operator.sees(() => page.locator(".stage .posed").textContent()).toContain("Manual pose");
  const goal = (await page.locator(".joint .num").allTextContents()).map((t) => (parseFloat(t.replace("−", "-")) * Math.PI) / 180);
  await page.getByLabel("Duration of the motion in seconds").fill("1");
  await page.getByRole("button", { name: "Move there" }).click();
  const apart = async (): Promise<number> => Math.max(...(await value<number[]>("robot.position")).map((q, i) => Math.abs(q - (goal[i] ?? NaN))));
  await operator.sees(apart).toBeLessThan(0.02); // the page shows tenths of a degree
});
