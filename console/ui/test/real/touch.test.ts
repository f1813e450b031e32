// Fingers on a tablet of 820 × 1180 pixels move the pictures of a running Janus.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { Fingers } from "../fingers";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let fingers: Fingers;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 820, height: 1180, touch: true });
  fingers = await Fingers.on(operator.page);
});
afterAll(() => leave(site, browser, operator));

/** Returns the rectangle of an element. */
async function rect(selector: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await operator.page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  return box;
}

test("one finger pans the net and two zoom it", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await page.getByText("No problems found").waitFor();
  const view = (): Promise<{ scale: number; x: number; y: number }> => page.evaluate(() => JSON.parse(document.querySelector("canvas")?.dataset["view"] ?? "{}"));
  const canvas = await rect("canvas");
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height - 60];
  const first = await view();
  await fingers.drag([[x, y]], [[x + 30, y - 90]]);
  const panned = await view();
  expect(panned.x - first.x).toBeCloseTo(30, 5);
  expect(panned.y - first.y).toBeCloseTo(-90, 5);
  await fingers.drag([[x - 60, y], [x + 60, y]], [[x - 90, y], [x + 90, y]]);
  expect((await view()).scale).toBeCloseTo(1.5 * panned.scale, 5);
});

test("one finger turns the moving robot and does not pose it", async () => {
  const { page } = operator;
  await operator.go("robot");
  await page.locator(".joint").first().waitFor();
  const canvas = await rect(".canvas canvas");
  const moving = page.locator(".joint .num").first();
  const before = await moving.textContent();
  const at: [number, number] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2]; // on the robot
  await fingers.drag([at], [[at[0] + 80, at[1]]]);
  expect(await page.getByRole("button", { name: "Move there" }).count()).toBe(0);
  await operator.sees(() => moving.textContent()).not.toBe(before);
});

test("one finger pans the scope's time and two zoom it; a double tap shows the present", async () => {
  const { page } = operator;
  await operator.draw("joint1.position");
  const state = page.locator(".bar .state");
  const span = (): Promise<string | null> => page.getByLabel("Time span").locator("option:checked").textContent();
  await operator.sees(() => operator.measured("joint1.position", "now")).not.toBeNaN();
  const plot = await rect(".u-over");
  const [x, y] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  await fingers.drag([[x, y]], [[x + 90, y]]);
  await operator.sees(() => state.textContent()).toBe("Held");
  await fingers.drag([[x - 50, y], [x + 50, y]], [[x - 100, y], [x + 100, y]]);
  await operator.sees(span).toBe("5 s");
  await fingers.doubleTap(x, y);
  await operator.sees(() => state.textContent()).toBe("Running");
});
