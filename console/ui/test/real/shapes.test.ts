// Visual and collision shapes of a robot on the page Plan, pairs in contact, and distances.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { drawnFinely, part, reds } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  site.write("mast.urdf", mast());
  const [run, b] = await Promise.all([site.start(["plan", "mast.urdf", "--console", "--start", "-0.4,0.2", "--goal", "-0.4,0.2"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 1440, height: 900 });
});
afterAll(() => leave(site, browser, operator));

const many = 0.004; // of the picture: a body has more, axes and handle have less
const outlined = 1.4; // the least ratio of what is green with the outlines of collision shapes and without
const green = (): Promise<number> => part(operator, "green");
const magenta = (): Promise<number> => part(operator, "magenta");
const pairs = (): Promise<string[]> => operator.page.getByLabel("Distances of pairs").locator("li").allInnerTexts();

test("one choice draws visual shapes, collision shapes, or both, and is kept", async () => {
  const { page } = operator;
  await page.locator(".joint").first().waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click(); // the robot at the start is opaque
  await operator.sees(magenta).toBeGreaterThan(many);
  await drawnFinely(operator);
  const lines = await green(); // of axes and handle
  expect(lines).toBeLessThan(many);
  await page.getByLabel("Shapes").selectOption("collision");
  await operator.sees(green).toBeGreaterThan(many);
  await operator.sees(magenta).toBeLessThan(many);
  await page.keyboard.press("c"); // both
  await operator.sees(() => page.getByLabel("Shapes").inputValue()).toBe("both");
  await page.reload();
  await page.locator(".joint").first().waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  expect(await page.getByLabel("Shapes").inputValue()).toBe("both");
  await operator.sees(green).toBeGreaterThan(outlined * lines);
  await operator.sees(magenta).toBeGreaterThan(many);
  await page.getByLabel("Shapes").selectOption("visual");
  await operator.sees(green).toBeLessThan(outlined * lines);
  await operator.sees(magenta).toBeGreaterThan(many);
});

test("the distance of two bodies is that of their collision shapes; a contact is marked on them", async () => {
  const { page } = operator;
  await page.getByRole("button", { name: "+ Box" }).click();
  const place = async (axis: string, value: string): Promise<void> => {
    await page.getByLabel(`${axis} of box1 in m`, { exact: true }).fill(value);
    await page.getByLabel(`${axis} of box1 in m`, { exact: true }).press("Enter");
  };
  for (const [axis, value] of [["x", "0"], ["y", "2"], ["z", "0.3"]] as const) await place(axis, value);
  for (const axis of ["Δx", "Δy", "Δz"]) {
    await page.getByLabel(`box ${axis.slice(1)} of box1 in m`, { exact: true }).fill("0.2");
    await page.getByLabel(`box ${axis.slice(1)} of box1 in m`, { exact: true }).press("Enter");
  }
  await page.getByRole("slider", { name: "shoulder" }).fill("0"); // the upper link lies along x: its box ends at y = 0.15, that of the obstacle begins at y = 1.9
  await page.getByLabel("Distances", { exact: true }).selectOption("nearest");
  await operator.sees(async () => (await pairs()).some((p) => /box1/.test(p))).toBe(true);
  await page.getByLabel("Distances", { exact: true }).selectOption("pair");
  await page.getByLabel("First body").selectOption("upper");
  await page.getByLabel("Second body").selectOption("box1");
  await operator.sees(async () => Number(/([\d]+) mm$/.exec((await pairs())[0] ?? "")?.[1])).toBeCloseTo(1750, -1);
  await operator.sees(() => reds(operator)).toBeLessThan(many);
  await place("y", "0.2"); // 50 mm deep, by the collision shape; the rods do not touch it
  await place("x", "0.5");
  await operator.sees(async () => (await pairs())[0] ?? "").toMatch(/50 mm deep/);
  for (const choice of ["visual", "collision"]) {
    await page.getByLabel("Shapes").selectOption(choice);
    await operator.sees(() => reds(operator)).toBeGreaterThan(many);
  }
});

/** A robot of two links whose visuals are magenta rods, within boxes that are their collision shapes. */
function mast(): string {
  const link = (name: string, visual: string, collision: string, xyz: string): string => `
  <link name="${name}">
    <visual><origin xyz="${xyz}"/><geometry>${visual}</geometry><material name="m"><color rgba="1 0 1 1"/></material></visual>
    <collision><origin xyz="${xyz}"/><geometry>${collision}</geometry></collision>
  </link>`;
  const rod = '<box size="0.8 0.05 0.05"/>';
  const joint = (name: string, parent: string, child: string, x: number): string => `
  <joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${x} 0 0.3"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="2" effort="10"/></joint>`;
  return `<robot name="mast">
  <link name="base"/>${link("upper", rod, '<box size="0.8 0.3 0.2"/>', "0.5 0 0")}${link("lower", rod, '<box size="0.6 0.3 0.2"/>', "0.5 0 0")}${joint("shoulder", "base", "upper", 0)}${joint("elbow", "upper", "lower", 1)}
</robot>`;
}
