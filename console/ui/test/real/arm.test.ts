// The page Robot with a running Panda: torques of its joints, a push with the mouse, and a motion through waypoints.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;
let watcher: Operator;
let run: Run;

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const file = site.system("examples/arm/arm.yaml", site.read("examples/arm/arm.yaml"));
  [run, browser] = await Promise.all([site.run(file, "--param", "motion.running=false"), launch()]);
  arm = await Operator.at(browser, run, { width: 1280, height: 720 });
  watcher = await Operator.at(browser, run);
  await watcher.block("robot");
  await arm.go("robot");
  await arm.page.locator(".joint").first().waitFor();
});
afterAll(() => leave(site, browser, arm, watcher));

const position = async (): Promise<number[]> => (JSON.parse(await site.sinew("tap", "robot.position", "--count", "1", "--json")) as { value: number[] }).value;
/** The row of the input push in the tree: the force, and "overridden" while a page pushes. */
const push = async (): Promise<string> => (await watcher.port("push").innerText()).replace(/\s+/g, " ");
const pushed = /^push \[-?[1-9].* overridden/;
const free = /^push \[0, 0, 0\] .*not linked/;

test("torques are shown relative to effort", async () => {
  await arm.sees(() => arm.page.getByRole("meter", { name: "Torque of panda_joint2" }).getAttribute("aria-valuenow").then(Number)).toBeGreaterThan(2);
  expect(await arm.page.locator(".scale").textContent()).toContain("100 % of the effort");
});

const pose = (joint: string, angle: number): Promise<void> => arm.page.getByRole("slider", { name: joint }).fill(String(angle));

test("the nearest links are measured where the robot is, and in a pose that it does not have yet", async () => {
  const { page } = arm;
  const pairs = page.getByRole("list", { name: "Distances of pairs" }).locator("li");
  await page.keyboard.press("d");
  await arm.sees(() => pairs.allInnerTexts().then((all) => all.length > 2 && all.every((t) => /^panda_\w+ – panda_\w+\s*[\d.]+ mm$/.test(t)))).toBe(true);
  for (const [joint, angle] of [["panda_joint2", 0], ["panda_joint4", -3.05], ["panda_joint6", 1]] as const) await pose(joint, angle);
  await arm.sees(() => pairs.first().innerText()).toMatch(/^panda_link0 – panda_hand\s*5\d mm deep$/); // as the planner reports of this pose
  await page.keyboard.press("Escape");
  await arm.sees(() => pairs.first().innerText()).not.toMatch(/deep/);
  await page.keyboard.press("d");
  await arm.sees(() => pairs.count()).toBe(0);
});

/** Presses the mouse on the tool of a page Robot, and drags it to the right. */
async function drag({ page }: Operator): Promise<void> {
  await page.getByRole("button", { name: "Push panda_hand" }).click();
  const box = await page.locator(".canvas canvas").boundingBox();
  if (!box) throw new Error("no canvas");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.5, { steps: 5 });
}

test("the mouse pushes the tool, and the force ends with the button", async () => {
  const { page } = arm;
  const before = await position();
  await drag(arm);
  await arm.sees(() => page.locator(".tip").textContent()).toMatch(/\d+ N on panda_hand/);
  await arm.sees(push).toMatch(pushed);
  await arm.sees(async () => Math.max(...(await position()).map((q, i) => Math.abs(q - (before[i] ?? 0))))).toBeGreaterThan(1e-4);
  await page.mouse.up();
  await arm.sees(push).toMatch(free);
  await page.keyboard.press("Escape");
  expect(await page.locator(".tip").count()).toBe(0);
});

test("the force ends when the page dies in the middle of a push", async () => {
  const other = await Operator.at(browser, run, { width: 1280, height: 720 });
  await other.go("robot");
  await drag(other);
  await arm.strip("1 held").waitFor();
  await arm.sees(push).toMatch(pushed);
  await other.crash();
  await arm.sees(push).toMatch(free);
  await arm.strip("0 held").waitFor();
});

test("a motion through waypoints is previewed by its law, and run", async () => {
  const { page } = arm;
  await pose("panda_joint1", 0.5);
  await page.getByRole("button", { name: "Add waypoint" }).click();
  await pose("panda_joint1", -0.3);
  await page.getByLabel("Duration of the motion in seconds").fill("1");
  await arm.sees(() => page.locator(".posed .law").textContent()).toBe("jerk-limited");
  const scrub = page.getByRole("slider", { name: "Preview of the motion" });
  await arm.sees(() => scrub.getAttribute("max").then(Number)).toBeGreaterThan(1.5);
  await page.getByRole("button", { name: "Move there" }).click();
  let most = -1;
  await arm.sees(async () => {
    const [q = 0] = await position();
    most = Math.max(most, q);
    return q;
  }).toBeCloseTo(-0.3, 2);
  expect(most).toBeGreaterThan(0.3);
  await arm.sees(() => page.locator(".stage .posed").count()).toBe(0);
});
