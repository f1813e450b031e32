// The page Robot draws a robot before and after sinew model simplify, with the counts, volumes and protrusions of its links.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { part } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.write("tetrapod.obj", tetrapod);
  site.write("arm.urdf", arm());
  const [run, b] = await Promise.all([site.start(["model", "simplify", "arm.urdf", "--primitives", "--console"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 1440, height: 900 });
});
afterAll(() => leave(site, browser, operator));

const many = 0.004; // of the picture: a body has more
const green = (): Promise<number> => part(operator, "green");
const rows = (): Promise<string[]> => operator.page.getByRole("table", { name: "Simplified shapes" }).locator("tbody tr").allInnerTexts();

test("one choice draws the shapes of the source, those that were written, or both", async () => {
  const { page } = operator;
  await page.locator(".joint").first().waitFor();
  expect(await page.getByLabel("Shapes", { exact: true }).inputValue()).toBe("both");
  expect(await page.getByLabel("Shapes", { exact: true }).locator("option").allInnerTexts()).toEqual(["Source shapes", "Simplified shapes", "Both shapes"]);
  await operator.sees(green).toBeGreaterThan(many);
  await page.getByLabel("Shapes", { exact: true }).selectOption("visual");
  await operator.sees(green).toBeLessThan(many / 10);
  await page.getByLabel("Shapes", { exact: true }).selectOption("collision");
  await operator.sees(green).toBeGreaterThan(many);
});

test("the table has the counts, the volume ratio and the protrusion of each link", async () => {
  await operator.sees(rows).toHaveLength(4);
  const [lower, counts] = await rows();
  expect(lower).toMatch(/^lower\s+\d\.\d\d\s+\d+\.\d mm$/);
  expect(counts).toBe("1 mesh → 1 shape");
  expect(Number(/\d\.\d\d/.exec(lower ?? "")?.[0])).toBeGreaterThan(1);
});

test("a joint is moved without a system", async () => {
  const { page } = operator;
  const yaw = (): Promise<string> => page.locator(".pose .num").last().innerText();
  const before = await yaw();
  await page.getByRole("slider", { name: "elbow" }).fill("1");
  await operator.sees(yaw).not.toBe(before);
  await page.getByRole("button", { name: "Discard Esc" }).click();
  await operator.sees(yaw).toBe(before);
});

const tetrapod = "v 0 0 0\nv 0.4 0 0\nv 0 0.2 0\nv 0 0 0.2\nv 0.05 0.05 0.05\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";

/** A robot of two links that look like balls, and whose collision shapes are meshes with a hollow. */
function arm(): string {
  const link = (name: string): string => `
  <link name="${name}">
    <visual><geometry><sphere radius="0.02"/></geometry></visual>
    <collision><geometry><mesh filename="tetrapod.obj"/></geometry></collision>
  </link>`;
  return `<robot name="arm">
  <link name="base"/>${link("lower")}${link("upper")}
  <joint name="shoulder" type="fixed"><parent link="base"/><child link="lower"/></joint>
  <joint name="elbow" type="revolute"><parent link="lower"/><child link="upper"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="2" effort="10"/></joint>
</robot>`;
}
