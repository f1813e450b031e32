// The 3-D page with robots that run: an arm whose tool is dragged, and the walker in its groups.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
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

const joints = (who: Operator): Promise<string[]> => who.page.locator(".joint .num").allTextContents();

test("Janus moves as the system says", async () => {
  await janus.go("robot");
  await janus.sees(() => joints(janus)).toHaveLength(2);
  const first = await joints(janus);
  await janus.sees(() => joints(janus)).not.toEqual(first);
});

test("the tool is dragged: inverse kinematics moves all joints, and letting go shows the robot again", async () => {
  const { page } = janus;
  // From a pose in which the arm is bent, so that the tool can go anywhere near.
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
  expect(await page.locator(".stage .posed").textContent()).toContain("Posed by hand");
  await page.keyboard.press("Escape");
  await janus.sees(() => page.locator(".stage .posed").count()).toBe(0);
});

test("Janus moves to a pose that the hand has made, and the log tells who wanted that", async () => {
  const { page } = janus;
  const angle = async (): Promise<number> => parseFloat((await joints(janus))[0]?.replace("−", "-") ?? "");
  let least = 0; // degrees: it nods between 0 and 34, and goes on with that after a second
  for (let i = 0; i < 10 && least > -10; i++) {
    await page.getByRole("slider", { name: "joint1" }).fill("-0.5");
    await page.getByLabel("Time of the motion in seconds").fill("0.3");
    await page.getByRole("button", { name: "Move there" }).click();
    await janus.sees(() => page.locator(".stage .posed").count()).toBe(0);
    for (let k = 0; k < 10; k++, await pause(40)) least = Math.min(least, await angle());
  }
  expect(least).toBeLessThan(-10);
  await janus.go("system");
  await janus.sees(() => page.locator(".app").textContent()).toMatch(/generator\.moveTo/);
});

test("the forces of the ground carry the walker, lying and walking", async () => {
  const { page } = walker;
  const drive = (...words: string[]): Promise<string> => site.sinew("call", "--system", site.name("walker"), ...words);
  await walker.go("robot");
  const ground = page.locator("[data-weight]");
  const carried = async (): Promise<number> => Number(await ground.getAttribute("data-up")) / Number(await ground.getAttribute("data-weight"));
  await walker.sees(carried).toBeCloseTo(1, 1);
  await drive("body.drive.standUp");
  await walker.sees(() => drive("body.drive.walk", "0.08", "0", "0.2").then(() => "walks", String)).toBe("walks");
  const sums: number[] = [];
  for (let i = 0; i < 40; i++, await pause(50)) sums.push(await carried());
  expect(sums.reduce((a, b) => a + b) / sums.length).toBeCloseTo(1, 1);
  expect(await orange(walker)).toBeGreaterThan(150);
  await page.keyboard.press("k");
  await walker.sees(() => orange(walker)).toBe(0);
  await page.keyboard.press("k");
});

test("the walker is shown with its 18 joints, and its net as nested groups", async () => {
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

/** How many pixels of the picture have the colour of contact forces. */
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

/** Where the blue arrow of the tool's handle is: the one that pulls along z. Waits until it is drawn. */
async function arrow({ page }: Operator): Promise<{ x: number; y: number }> {
  const canvas = page.locator(".canvas canvas");
  const box = await canvas.boundingBox();
  for (let i = 0; box && i < 20; i++, await pause(100)) {
    const tip = await page.evaluate(bluest, (await canvas.screenshot()).toString("base64"));
    if (tip) return { x: box.x + tip.x, y: box.y + tip.y + 3 };
  }
  throw new Error("no arrow in the picture");
}

/** Runs in the page: the topmost pixel of a picture that is as blue as can be. */
async function bluest(png: string): Promise<{ x: number; y: number } | null> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!drawing) return null;
  [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
  drawing.drawImage(image, 0, 0);
  const pixels = drawing.getImageData(0, 0, image.width, image.height).data;
  for (let i = 0; i < pixels.length; i += 4) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    if (b > 200 && r < 60 && g < 60) return { x: (i / 4) % image.width, y: Math.floor(i / 4 / image.width) };
  }
  return null;
}
