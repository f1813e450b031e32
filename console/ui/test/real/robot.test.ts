// The page Robot with running systems: an arm whose tool is dragged, and the walker.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { patience } from "../patience";
import { leave, Operator } from "./operator";
import { arrow, robotShare } from "./picture";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let janus: Operator;
let walker: Operator;

beforeAll(async () => {
  site.copy("models/walker", "examples/walker");
  const hexapod = site.system("examples/walker/walker.yaml", site.read("examples/walker/walker.yaml"));
  const [a, b, c] = await Promise.all([site.run(site.janus()), site.start(["run", hexapod, "--console", "--quiet"], "walker"), launch()]);
  browser = c;
  [janus, walker] = await Promise.all([Operator.at(browser, a, { width: 1280, height: 720 }), Operator.at(browser, b, { width: 1280, height: 720 })]);
});
afterAll(() => leave(site, browser, janus, walker));

const joints = (operator: Operator): Promise<string[]> => operator.page.locator(".joint .num").allTextContents();
const showsJoints = (operator: Operator): Promise<void> => operator.page.locator(".joint .num", { hasText: /\d/ }).nth(1).waitFor();

test("Janus follows its joint positions", async () => {
  await janus.go("robot");
  await janus.sees(() => joints(janus)).toHaveLength(2);
  const first = await joints(janus);
  await janus.sees(() => joints(janus)).not.toEqual(first);
});

test("a robot fills at least 80 % of the width or height of its picture, and is inside", async () => {
  for (const operator of [janus, walker]) {
    await operator.go("robot");
    await showsJoints(operator); // until then the page has not stored its own layers
    await operator.page.evaluate(() => localStorage.setItem("sinew.robot.shows", JSON.stringify({ grid: false, ghost: false, mass: false, contacts: false })));
    await operator.sees(() => fillsWhenOpened(operator)).toBe(true);
    await operator.page.evaluate(() => localStorage.removeItem("sinew.robot.shows"));
    await operator.page.reload();
  }
});

test("dragging the tool moves all joints by inverse kinematics; Esc discards the pose", async () => {
  const { page } = janus;
  // From a bent pose, so that the tool can move in all directions.
  await page.getByRole("slider", { name: "joint1" }).fill("0.6");
  await page.getByRole("slider", { name: "joint2" }).fill("0.9");
  await page.getByRole("button", { name: "Side" }).click();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const before = await joints(janus);
  const grip = await arrow(janus);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, grip.y + 50, { steps: 8 });
  await janus.sees(async () => (await joints(janus)).filter((j, i) => j === before[i]).length).toBe(0);
  await page.mouse.up();
  expect(await page.locator(".stage .posed").textContent()).toContain("Manual pose");
  await page.keyboard.press("Escape");
  await janus.sees(() => page.locator(".stage .posed").count()).toBe(0);
});

test("Janus moves to a manual pose, and the log records the call", async () => {
  const { page } = janus;
  const angle = async (): Promise<number> => parseFloat((await joints(janus))[0]?.replace("−", "-") ?? "");
  let least = 0; // degrees; the script moves between 0 and 34 and continues after a second
  for (const deadline = Date.now() + patience; least > -10 && Date.now() < deadline; ) {
    await page.getByRole("slider", { name: "joint1" }).fill("-0.5");
    await page.getByLabel("Duration of the motion in seconds").fill("0.3");
    await page.getByRole("button", { name: "Move there" }).click();
    await janus.sees(() => page.locator(".stage .posed").count()).toBe(0);
    for (let k = 0; k < 10; k++, await pause(40)) least = Math.min(least, await angle());
  }
  expect(least).toBeLessThan(-10);
  await janus.go("system");
  await janus.sees(() => page.locator(".app").textContent()).toMatch(/generator\.moveTo/);
});

test("contact forces carry the walker's weight, lying and walking", async () => {
  const { page } = walker;
  const drive = (...words: string[]): Promise<string> => site.sinew("call", "--system", site.name("walker"), ...words);
  await walker.go("robot");
  const ground = page.locator("[data-weight]");
  const carried = async (): Promise<number> => Number(await ground.getAttribute("data-up")) / Number(await ground.getAttribute("data-weight"));
  await walker.sees(carried).toBeCloseTo(1, 1);
  expect(await ground.innerText()).toMatch(/^contact forces: [\d.]+ c?m = [\d.]+ N\nvertical sum [\d.−]+ N, weight [\d.]+ N$/);
  await drive("body.drive.standUp");
  await walker.sees(() => drive("body.drive.walk", "0.08", "0", "0.2").then(() => "walks", String)).toBe("walks");
  const parts = await page.evaluate(readings);
  expect(Math.abs(parts.reduce((a, b) => a + b) / parts.length - 1)).toBeLessThan(0.15); // feet hit the ground between samples
  expect(await orange(walker)).toBeGreaterThan(150);
  await page.keyboard.press("k");
  await walker.sees(() => orange(walker)).toBe(0);
  await page.keyboard.press("k");
});

test("the walker's joints are grouped by leg, with names from its model, and a leg can be closed", async () => {
  const { page } = walker;
  await walker.go("robot");
  await walker.sees(() => joints(walker)).toHaveLength(18);
  const legs = page.locator("button.limb");
  await walker.sees(async () => (await legs.locator("span").allInnerTexts()).map((t) => t.replace(/^\W+/, ""))).toEqual(["left front", "left middle", "left rear", "right front", "right middle", "right rear"]);
  await legs.first().click();
  await walker.sees(() => legs.first().getAttribute("aria-expanded")).toBe("false");
  await walker.sees(() => joints(walker)).toHaveLength(15);
  await legs.first().click();
  await walker.sees(() => joints(walker)).toHaveLength(18);
});

test("the walker is shown with 18 joints and a net of nested groups", async () => {
  const { page } = walker;
  await walker.go("robot");
  await walker.sees(() => joints(walker)).toHaveLength(18);
  await walker.sees(async () => (await joints(walker)).every((j) => /\d°$/.test(j))).toBe(true);
  await walker.go("net");
  await walker.sees(() => page.locator(".reader").textContent()).toContain("legs (group of");
  const closed = await page.locator(".reader li").count();
  await page.getByRole("button", { name: "Open all" }).click();
  await walker.sees(() => page.locator(".reader li").count()).toBeGreaterThan(closed + 20);
});

/** Reloads the page and reports whether the robot then fills its picture: a view keeps room for all poses that it has shown, also of a walker before it fell. */
async function fillsWhenOpened(operator: Operator): Promise<boolean> {
  await operator.page.reload();
  await showsJoints(operator);
  for (let looks = 0; looks < 30; looks++) {
    const { width, height } = await robotShare(operator);
    const share = Math.max(width, height);
    if (share >= 0.8 && share < 0.99) return true; // before the view is fitted to the robot, it may reach beyond
    await pause(100);
  }
  return false;
}

/** Runs in the page: returns 100 readings of the legend, 50 ms apart, of the part of the weight that the contact forces carry. */
async function readings(): Promise<number[]> {
  const found: number[] = [];
  while (found.length < 100) {
    const ground = document.querySelector<HTMLElement>("[data-weight]");
    if (ground !== null) found.push(Number(ground.dataset["up"]) / Number(ground.dataset["weight"]));
    await new Promise((done) => setTimeout(done, 50));
  }
  return found;
}

/** Counts the pixels of the picture in the colour of contact forces. */
async function orange({ page }: Operator): Promise<number> {
  const picture = await page.locator(".canvas canvas").screenshot();
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (!drawing) return 0;
    [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
    drawing.drawImage(image, 0, 0);
    const pixels = drawing.getImageData(0, 0, image.width, image.height).data;
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
      if (Math.abs(r - 0xf7) < 8 && Math.abs(g - 0x6b) < 8 && Math.abs(b - 0x15) < 8) count++;
    }
    return count;
  }, picture.toString("base64"));
}
