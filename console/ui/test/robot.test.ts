// The 3-D view in a browser, against the simulated console.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { launch, open, serve } from "./browser";

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
let errors: string[];

beforeAll(async () => {
  server = await serve("dist-mock");
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

async function robot(): Promise<void> {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/robot?system=janus`, { width: 1280, height: 720 }));
  await page.waitForSelector(".joint", { timeout: 30_000 });
}

const joint = (name: string) => page.locator(".joint", { hasText: name }).locator(".num");

test("the robot moves as the system says, and the picture is not blank", async () => {
  await robot();
  const first = await joint("joint1").textContent();
  await expect.poll(() => joint("joint1").textContent()).not.toBe(first);
  const colours = await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>(".canvas canvas");
    const probe = document.createElement("canvas").getContext("2d");
    if (!canvas || !probe) return 0;
    await new Promise(requestAnimationFrame);
    [probe.canvas.width, probe.canvas.height] = [200, 120];
    probe.drawImage(canvas, 0, 0, 200, 120);
    return new Set(new Uint32Array(probe.getImageData(0, 0, 200, 120).data.buffer)).size;
  });
  expect(colours).toBeGreaterThan(20);
});

test("joints are posed by sliders and keys, and let go again", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint2" }).fill("1");
  expect(await joint("joint2").textContent()).toBe("57.3°");
  expect(await page.locator("div.posed").textContent()).toContain("Posed by hand");
  await page.locator(".canvas").click({ position: { x: 20, y: 500 } });
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => joint("joint2").textContent()).toBe("59.3°");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("div.posed").count()).toBe(0);
});

test("a pose by hand is where the robot moves when it is told to", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint1" }).fill("0.8");
  expect(await page.getByLabel("Time of the motion in seconds").inputValue()).not.toBe("");
  await page.getByLabel("Time of the motion in seconds").fill("2");
  await page.getByRole("button", { name: "Move there" }).click();
  await expect.poll(() => page.locator(".app").textContent()).toContain("moves there in 2 s");
  expect(await page.locator("div.posed").count()).toBe(0);
});

test("the legend tells what is shown", async () => {
  await robot();
  const legend = page.getByRole("list", { name: "What the marks mean" });
  await expect.poll(() => legend.textContent()).toContain("desired pose");
  expect(await legend.textContent()).not.toContain("frames");
  await page.keyboard.press("f");
  await expect.poll(() => legend.textContent()).toContain("frames of the links");
});

test("a body is dragged with the mouse", async () => {
  await robot();
  // Posed straight up first, so that the body is where the mouse goes.
  await page.getByRole("slider", { name: "joint1" }).fill("0");
  await page.getByRole("slider", { name: "joint2" }).fill("0");
  await page.getByRole("button", { name: "Side" }).click();
  const box = await page.locator(".canvas canvas").boundingBox();
  if (!box) throw new Error("no canvas");
  const hovered = async (): Promise<[number, number] | null> => {
    for (let y = 0.2; y < 0.4; y += 0.07) {
      for (let x = 0.3; x < 0.6; x += 0.03) { // where it is depends on how it stood when it was first seen
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        await page.evaluate(() => new Promise(requestAnimationFrame)); // the page hears of the mouse before it draws
        if ((await page.locator(".canvas canvas").evaluate((c) => (c as HTMLElement).style.cursor)) === "grab") return [box.x + box.width * x, box.y + box.height * y];
      }
    }
    return null;
  };
  let at = await hovered();
  for (const end = Date.now() + 10_000; at === null && Date.now() < end; at = await hovered()) await page.waitForTimeout(200); // until it is drawn
  expect(at).not.toBeNull();
  const [x, y] = at ?? [0, 0];
  const before = [await joint("joint1").textContent(), await joint("joint2").textContent()];
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 10, { steps: 6 });
  await page.mouse.up();
  expect([await joint("joint1").textContent(), await joint("joint2").textContent()]).not.toEqual(before);
});

test("a mesh that is missing is a box, and the page says so", async () => {
  ({ page, errors } = await open(browser, "about:blank"));
  await page.addInitScript(() => {
    const fetched = window.fetch;
    window.fetch = async (...args) => {
      const answer = await fetched(...args);
      const text = await answer.clone().text().catch(() => "");
      return text.includes("<robot") ? new Response(text.replace('<box size="0.08 0.20 0.12"/>', '<mesh filename="meshes/gone.stl"/>')) : answer;
    };
  });
  await page.goto(`${server.url}/?mock#/robot?system=janus`);
  await expect.poll(() => page.locator(".notes").textContent({ timeout: 20_000 }), { timeout: 20_000 }).toContain("gone.stl");
});

test("a system without a robot says so", async () => {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/robot?system=plant`));
  await expect.poll(() => page.locator(".empty").textContent()).toContain("no robot to show");
});
