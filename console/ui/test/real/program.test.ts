// The page Plan edits a program of moves: a point is dragged, the difference saved, mistakes shown, the program previewed and run.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { arrow, reds } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let arm: Operator;
const file = "examples/arm/square.yaml";

beforeAll(async () => {
  site.copy("models/panda", "models/ur5", "examples/arm");
  const system = site.system("examples/arm/program.yaml", site.read("examples/arm/program.yaml").replace("autostart: true", "autostart: false"));
  const [run, b] = await Promise.all([site.run(system), launch()]);
  browser = b;
  arm = await Operator.at(browser, run, { width: 1280, height: 800 });
  await arm.go("plan");
  await arm.page.getByRole("button", { name: "Program", exact: true }).click();
});
afterAll(() => leave(site, browser, arm));

const status = (): Promise<string> => arm.page.getByRole("status", { name: "Program" }).innerText();
const text = async (): Promise<string> => arm.page.getByLabel("Text of the program").inputValue();
const problems = (): Promise<string> => arm.page.getByRole("list", { name: "Problems of the program" }).innerText();
const compiled = async (): Promise<number> => Number(await arm.page.locator(".stage").getAttribute("data-programs"));
const value = async (ref: string): Promise<unknown> => (JSON.parse(await site.sinew("tap", ref, "--count", "1", "--json")) as { value: unknown }).value;
const changedLines = (a: string, b: string): string[] => b.split("\n").filter((line, i) => line !== a.split("\n")[i]);

test("the program that the system runs is drawn with its points, times and limits", async () => {
  const { page } = arm;
  await arm.sees(() => page.getByRole("list", { name: "Points of the program" }).getByRole("button").count()).toBe(12);
  await arm.sees(status).toMatch(/of 10\.\d\d s[^]*free[^]*Binding: /);
  await page.getByRole("slider", { name: "Time in the program" }).press("PageUp");
  await arm.sees(status).toMatch(/1\.0\d of[^]*Move 2 \(moveL, line 20\)/);
  await arm.sees(async () => Number(/at (\d+) %/.exec(await status())?.[1])).toBeGreaterThan(0);
});

test("a point that is dragged changes the numbers of its place only, and the difference is saved", async () => {
  const { page } = arm;
  const before = site.read(file);
  await page.getByRole("button", { name: /^move 5 / }).click();
  const first = await compiled();
  const grip = await arrow(arm);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) await page.mouse.move(grip.x, grip.y - 2 * i);
  await arm.sees(compiled).toBeGreaterThan(first);
  await page.mouse.up();
  await page.getByText("Text", { exact: true }).click();
  await arm.sees(text).not.toBe(before);
  await arm.sees(status).toContain("free"); // the last compilation looks for contacts
  const after = await text();
  expect(changedLines(before, after)).toEqual([expect.stringMatching(/^ {2}- moveL: \{xyz: \[100 mm, -100 mm, -?[\d.]+\]\}$/)]);
  await page.getByRole("button", { name: "Save the program…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save program" });
  await arm.sees(() => dialog.innerText()).toMatch(/- {3}- moveL: \{xyz: \[100 mm, -100 mm, 0\]\}\n\+ {3}- moveL/);
  expect(site.read(file)).toBe(before);
  await dialog.getByRole("button", { name: "Save" }).click();
  await arm.sees(async () => site.read(file)).toBe(after);
  await arm.sees(() => page.getByRole("button", { name: "Save the program…" }).isDisabled()).toBe(true);
});

test("a change by another program is not overwritten unasked", async () => {
  const { page } = arm;
  const theirs = site.read(file).replace("# A program of moves", "# Another person's program of moves");
  site.write(file, theirs);
  const height = page.getByLabel("z of move 5 in m");
  await height.fill("0.32");
  await height.press("Enter");
  await arm.sees(text).toMatch(/moveL: \{xyz: \[100 mm, -100 mm, -0\.02\]\}/);
  await page.getByRole("button", { name: "Save the program…" }).click();
  await page.getByRole("dialog", { name: "Save program" }).getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "Changed on disk" });
  await conflict.getByRole("button", { name: "Compare" }).click();
  await arm.sees(() => conflict.innerText()).toMatch(/- # Another person's program/);
  expect(site.read(file)).toBe(theirs);
  await conflict.getByRole("button", { name: "Reload" }).click();
  await arm.sees(text).toBe(theirs);
});

test("a mistake is shown with line, move, place and remedy, on the body too, and is not run", async () => {
  const { page } = arm;
  await arm.sees(() => reds(arm)).toBe(0); // the handle of the point before, with its red arrows, is no longer drawn
  const point = page.getByRole("button", { name: /^move 6 / });
  await point.click();
  await page.getByLabel("y of move 6 in m").fill("-0.8");
  await page.getByLabel("y of move 6 in m").press("Enter");
  await arm.sees(problems).toMatch(/Line 25, move 6, s = 0\.\d+ m[^]*move the target/);
  await point.click(); // without its handle, which has red arrows
  await arm.sees(() => reds(arm)).toBeGreaterThan(2e-5);
  expect(await page.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Undo the change of the program" }).click();
  await arm.sees(problems).toBe("");

  const beyond = (await text()).replace("  - moveJ: [0,", "  - moveJ: [3,");
  await page.getByLabel("Text of the program").fill(beyond);
  await arm.sees(problems).toMatch(/Line 37, move 13, panda_joint1[^]*beyond its limits/);
  await arm.sees(() => reds(arm)).toBeGreaterThan(2e-3); // the bodies that the joint carries
  await page.getByRole("button", { name: "Undo the change of the program" }).click();
  await arm.sees(problems).toBe("");
});

test("a change by another program is overwritten when asked", async () => {
  const { page } = arm;
  const before = site.read(file);
  const theirs = `# Their note\n${before}`;
  site.write(file, theirs);
  await page.getByRole("button", { name: /^move 5 / }).click();
  const height = page.getByLabel("z of move 5 in m");
  await height.fill("0.31");
  await height.press("Enter");
  await arm.sees(text).toMatch(/moveL: \{xyz: \[100 mm, -100 mm, -0\.01\]\}/);
  const mine = await text();
  const save = page.getByRole("button", { name: "Save the program…" });
  await save.click();
  await page.getByRole("dialog", { name: "Save program" }).getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "Changed on disk" });
  await conflict.getByRole("button", { name: "Cancel" }).click();
  expect(site.read(file)).toBe(theirs);
  await save.click();
  await page.getByRole("dialog", { name: "Save program" }).getByRole("button", { name: "Save" }).click();
  await conflict.getByRole("button", { name: "Overwrite" }).click();
  await arm.sees(async () => site.read(file)).toBe(mine);
  await arm.sees(() => save.isDisabled()).toBe(true);
  expect(await conflict.count()).toBe(0);
});

test("a moveJ of some joints has a point where it ends, which is moved in the text", async () => {
  const { page } = arm;
  const points = page.getByRole("list", { name: "Points of the program" }).getByRole("button");
  await page.getByLabel("Text of the program").fill((await text()).replace(/ {2}- moveJ: \[0,.*/, "  - moveJ: {panda_joint1: 20 deg}"));
  const last = page.getByRole("button", { name: /^move 13 moveJ/ });
  await arm.sees(async () => (await last.count()) * (await points.count())).toBe(12);
  await last.click();
  await arm.sees(() => page.locator("aside").innerText()).toContain("change their numbers in the text");
  expect(await page.getByLabel("z of move 13 in m").count()).toBe(0);
  await page.getByRole("button", { name: "Undo the change of the program" }).click();
  await arm.sees(() => page.getByLabel("z of move 13 in m").count()).toBe(1); // all joints are stated again
});

test("the program is previewed, and run on the robot", async () => {
  const { page } = arm;
  await page.getByRole("button", { name: "Preview" }).click();
  const time = async (): Promise<number> => Number(await page.getByRole("slider", { name: "Time in the program" }).getAttribute("aria-valuenow"));
  const begun = await time();
  await arm.sees(time).not.toBe(begun);
  await page.getByRole("button", { name: "Pause the preview" }).click();
  expect(await value("program.state")).toBe(0);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await arm.sees(status).toMatch(/running move \d+/);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await arm.sees(status).toContain("paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await arm.sees(() => value("program.state")).toBe(5); // ended
  await arm.sees(status).toContain("ended");
});

test("speed, back and stop change the motion of the robot", async () => {
  const { page } = arm;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await site.sinew("call", "program.override", "0"); // it runs, and rests: nothing depends on the time until the next step
  await button("Run").click();
  await arm.sees(status).toMatch(/running move 1\b/);
  expect(await value("program.rate")).toBe(0);
  const slider = page.getByRole("slider", { name: "Speed of the program in percent" });
  await arm.sees(() => slider.inputValue()).toBe("0"); // as another program has set it
  await slider.fill("30");
  await arm.sees(() => value("program.rate")).toBeCloseTo(0.3, 3);
  expect(await slider.inputValue()).toBe("30");
  await site.sinew("call", "program.override", "0.2");
  await arm.sees(() => slider.inputValue()).toBe("20");
  await arm.sees(() => slider.getAttribute("title")).toBe("20 % of the programmed speed");
  await arm.sees(() => value("program.move")).toBe(6);
  const progress = (await value("program.progress")) as number;
  await button("Back").click();
  await arm.sees(() => value("program.state")).toBe(4); // paused
  await arm.sees(() => value("program.rate")).toBe(0);
  await arm.sees(status).toContain("paused");
  const [q, back] = [(await value("program.position")) as number[], (await value("program.progress")) as number];
  expect(back).toBeGreaterThan(0);
  expect(back).toBeLessThan(progress);
  await button("Resume").click();
  await arm.sees(() => value("program.progress")).toBeGreaterThan(back);
  await button("Stop").click();
  await arm.sees(() => value("program.state")).toBe(7); // stopped
  await arm.sees(() => value("program.rate")).toBe(0);
  await arm.sees(status).toContain("stopped");
  expect(await value("program.progress")).toBeLessThan(1);
  expect(await value("program.position")).not.toEqual(q);
  await button("Run").waitFor();
  await site.sinew("call", "program.override", "1");
});

test("a run that fails reports the reason, not a success", async () => {
  const { page } = arm;
  site.write(file, site.read(file).replace("[100 mm, 100 mm, 0]", "[100 mm, 900 mm, 0]")); // after the page has read it
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await arm.sees(() => page.locator(".notice.bad").innerText()).toMatch(/square\.yaml:25:\d+: moveL \(move 6\) at s = .*move the target/);
  await arm.sees(status).toContain("failed");
});
