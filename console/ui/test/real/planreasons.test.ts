// Why there is no plan: each cause has its words on the page Plan, and a remedy makes a plan.
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { arrow, reds } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;

beforeAll(async () => {
  site.copy("models/panda", "examples/plan");
  const ends = ["--start", "-0.8,0.2,0,-1.8,0,2,0.8,0.02", "--goal", "0.8,0.2,0,-1.8,0,2,0.8,0.02"];
  const [run, b] = await Promise.all([site.start(["plan", "models/panda/panda.urdf", "--console", ...ends]), launch()]);
  browser = b;
  arm = await Operator.at(browser, run, { width: 1280, height: 720 });
  await arm.page.getByRole("status", { name: "Plan" }).getByText("planned in").waitFor();
});
afterAll(() => leave(site, browser, arm));

const result = (): Promise<string> => arm.page.getByRole("status", { name: "Plan" }).innerText();
const body = 0.005; // of the picture: a red body takes more, the arrow of the handle less
const fill = async (label: string, value: string): Promise<void> => {
  await arm.page.getByLabel(label, { exact: true }).fill(value);
  await arm.page.getByLabel(label, { exact: true }).press("Enter");
};

for (const end of ["start", "goal"] as const) {
  test(`the ${end} in collision: the bodies are named, and how deep they overlap`, async () => {
    const { page } = arm;
    await arm.sees(() => reds(arm)).toBeLessThan(body); // the bodies of the test before are no longer red in the picture
    await page.getByRole("button", { name: "+ Sphere" }).click();
    await fill("sphere radius of sphere1 in m", "0.2");
    for (const [axis, value] of [["x", "0.36"], ["y", end === "start" ? "-0.37" : "0.37"], ["z", "0.5"]] as const) await fill(`${axis} of sphere1 in m`, value);
    await arm.sees(result).toMatch(new RegExp(`The ${end} is in collision[^]*sphere1[^]*overlap by [\\d.]+ mm`));
    await arm.sees(() => reds(arm)).toBeGreaterThan(body);
    await page.getByRole("button", { name: "Remove sphere1" }).click();
    await arm.sees(result).toMatch(/planned in/);
  });
}

test("a pose out of reach: how far the hand comes", async () => {
  const { page } = arm;
  const grip = await arrow(arm);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  try {
    await page.mouse.move(grip.x, 5, { steps: 5 });
    await arm.sees(result).toMatch(/Out of reach/);
    await page.mouse.move(grip.x, grip.y, { steps: 5 });
    await arm.sees(result).toMatch(/planned in/);
  } finally {
    await page.mouse.up();
  }
});

test("a joint that is held: the goal keeps it, or it is freed", async () => {
  const { page } = arm;
  await page.getByText("Held joints").click();
  await page.getByLabel("Hold panda_joint1").check();
  await arm.sees(result).toMatch(/A joint is held[^]*panda_joint1/);
  await page.getByRole("button", { name: "Keep it as at the start" }).click();
  await arm.sees(result).toMatch(/planned in/);
  await page.getByLabel("Hold panda_joint1").uncheck();
  await page.getByRole("slider", { name: "panda_joint1" }).fill("0.8");
  await page.getByLabel("Hold panda_joint1").check();
  await page.getByRole("button", { name: "Free panda_joint1" }).click();
  await arm.sees(result).toMatch(/planned in/);
});

test("no time: the reason names it, and an open way gives a plan", async () => {
  const gate = await Operator.at(browser, await site.start(["plan", "examples/plan/gate/gate.xml", "--console"]), { width: 1280, height: 720 });
  const { page } = gate;
  const status = (): Promise<string> => page.getByRole("status", { name: "Plan" }).innerText();
  const set = async (label: string, value: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel(label, { exact: true }).press("Enter");
  };
  await gate.sees(status).toMatch(/planned in/);
  await set("Time, s", "0.02");
  await page.getByRole("button", { name: "room/wall", exact: true }).click();
  await set("box y of room/wall in m", "9"); // from one end of the room to the other
  await gate.sees(status).toMatch(/The time is over/);
  await set("Time, s", "20");
  await set("box y of room/wall in m", "1");
  await gate.sees(status).toMatch(/planned in/);
  await gate.close();
});

test("a goal beyond a limit names the joint", async () => {
  const run = await site.start(["plan", "models/panda/panda.urdf", "--console", "--start", "-0.8,0.2,0,-1.8,0,2,0.8,0.02", "--goal", "3.5,0.2,0,-1.8,0,2,0.8,0.02"]);
  const other = await Operator.at(browser, run, { width: 1280, height: 720 });
  await other.sees(() => other.page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/Beyond a limit[^]*panda_joint1/);
  await other.page.getByRole("slider", { name: "panda_joint1" }).fill("0.5");
  await other.sees(() => other.page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/planned in/);
  await other.close();
});
