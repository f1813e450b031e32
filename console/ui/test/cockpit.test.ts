// The page Cockpit in Chromium, with the simulated console. Needs `npm run build:mock`.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function cockpit(at = ""): Promise<void> {
  page = await mock.open(at, { width: 1280, height: 720 });
}

/** Returns the number of colours in a picture. */
function colours(selector: string): Promise<number> {
  return page.evaluate(async (s) => {
    const canvas = document.querySelector<HTMLCanvasElement>(s);
    const probe = document.createElement("canvas").getContext("2d");
    if (!canvas || !probe) return 0;
    await new Promise(requestAnimationFrame);
    [probe.canvas.width, probe.canvas.height] = [200, 120];
    probe.drawImage(canvas, 0, 0, 200, 120);
    return new Set(new Uint32Array(probe.getImageData(0, 0, 200, 120).data.buffer)).size;
  }, selector);
}

test("the console opens with the robot and two plots", async () => {
  await cockpit();
  await expect.poll(() => page.locator('nav a[href="#/cockpit"]').getAttribute("aria-current")).toBe("page");
  await expect.poll(() => page.locator(".robot h2").textContent()).toBe("janus");
  await expect.poll(() => colours(".robot canvas")).toBeGreaterThan(20);
  expect(await page.locator(".plots section").count()).toBe(2);
  await expect.poll(() => page.locator(".plots canvas").count()).toBeGreaterThanOrEqual(2);
});

test("keys that are typed while the palette loads replace what it opens with", async () => {
  await cockpit();
  let load = (): void => undefined;
  const loading = new Promise<void>((done) => (load = done));
  await page.route(/Palette[^/]*\.js$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.getByRole("button", { name: "Try it" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("pid1.kp 4");
  expect(await page.locator(".palette").count()).toBe(0);
  load();
  await expect.poll(() => page.locator(".palette input").inputValue()).toBe("pid1.kp 4");
});

test("lines for new users act, and go away for good when dismissed", async () => {
  await cockpit();
  const lines = page.getByRole("list", { name: "What to do next" });
  await expect.poll(() => lines.getByRole("listitem").count()).toBe(3);
  await lines.getByRole("button", { name: "Try it" }).click();
  await expect.poll(() => page.locator(".palette input").inputValue()).toMatch(/^pid1\.kp \d+$/);
  await page.keyboard.press("Escape");
  for (let left = 2; left >= 0; left--) {
    await lines.getByRole("button", { name: /^Dismiss/ }).first().click();
    await expect.poll(() => page.getByRole("button", { name: /^Dismiss/ }).count()).toBe(left);
  }
  await page.reload();
  await page.locator(".plots section").first().waitFor();
  expect(await lines.count()).toBe(0);
});

test("a plot opens in the scope", async () => {
  await cockpit();
  await page.getByRole("button", { name: "Open in Scope" }).first().click();
  await page.waitForURL(/#\/scope/);
  await expect.poll(() => page.locator(".table tbody tr").count()).toBeGreaterThan(0);
});

test("a system without a robot shows the plots alone, and how to get a robot", async () => {
  await cockpit("/cockpit?system=plant");
  await expect.poll(() => page.locator(".none").first().textContent()).toContain("A block with a parameter “urdf”");
  await expect.poll(() => page.locator(".plots section").count()).toBe(2);
  expect(await page.locator(".robot").count()).toBe(0);
});
