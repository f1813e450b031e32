// The page Plan of "sinew program edit": a program is edited and saved without a system.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
const file = "examples/arm/square.yaml";

beforeAll(async () => {
  site.copy("models/panda", "examples/arm");
  const robot = ["--robot", "models/panda/panda.urdf", "--locked", "panda_finger_joint1=0.02", "--start", "0,-0.7854,0,-2.3562,0,1.5708,0.7854"];
  const [run, b] = await Promise.all([site.start(["program", "edit", file, ...robot]), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 820, height: 1000 });
});
afterAll(() => leave(site, browser, operator));

test("a point is moved by its numbers and the keyboard, and saved; nothing can be run", async () => {
  const { page } = operator;
  const status = page.getByRole("status", { name: "Program" });
  await operator.sees(() => status.innerText()).toMatch(/of 10\.\d\d s[^]*free/);
  const point = page.getByRole("button", { name: /^move 5 / });
  await point.focus();
  await point.press("Enter");
  const height = page.getByLabel("z of move 5 in m");
  await height.fill("0.35");
  await height.press("Enter");
  const save = page.getByRole("button", { name: "Save the program…" });
  await operator.sees(() => save.isEnabled()).toBe(true);
  expect(await status.getByRole("button", { name: "Run" }).count()).toBe(0);
  const before = site.read(file);
  await save.press("Enter");
  await page.getByRole("dialog", { name: "Save program" }).getByRole("button", { name: "Save" }).press("Enter");
  await operator.sees(async () => site.read(file)).toBe(before.replace("[100 mm, -100 mm, 0]", "[100 mm, -100 mm, -0.05]"));
  const check = await site.sinew("program", "check", file, "--robot", "models/panda/panda.urdf", "--locked", "panda_finger_joint1=0.02", "--start", "0,-0.7854,0,-2.3562,0,1.5708,0.7854");
  expect(check).toMatch(/square and circle: 10\.\d+ s/);
});

test("a program with mistakes is not saved, and a notice names them", async () => {
  const { page } = operator;
  await page.getByText("Text", { exact: true }).click();
  const text = page.getByLabel("Text of the program");
  const before = site.read(file);
  await text.fill(before.replace("[100 mm, 100 mm, 0]", "[100 mm, 900 mm, 0]"));
  await operator.sees(() => page.getByRole("list", { name: "Problems of the program" }).innerText()).toMatch(/Line 25, move 6/);
  await page.getByRole("button", { name: "Save the program…" }).press("Enter");
  await page.getByRole("dialog", { name: "Save program" }).getByRole("button", { name: "Save" }).press("Enter");
  await operator.sees(() => page.locator(".notice.bad").innerText()).toMatch(/the file stays as it is: square\.yaml:25:\d+: moveL \(move 6\)[^]*move the target/);
  expect(await page.getByRole("dialog", { name: "Save program" }).count()).toBe(0);
  expect(site.read(file)).toBe(before);
});
