// A pose that the robot does not have is drawn as a ghost, and the robot as it is.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { drawnFinely } from "./picture";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

beforeAll(async () => {
  const still = site.janus((text) => text.replace(/^script:.*\n/m, ""));
  const [run, b] = await Promise.all([site.run(still), launch()]);
  browser = b;
  operator = await Operator.at(browser, run, { width: 1280, height: 720 });
});
afterAll(() => leave(site, browser, operator));

/** Returns the picture once two in a row are alike: after the camera and the robot have come to rest. */
async function restingPicture(): Promise<number[]> {
  let last = await picture();
  await operator.sees(async () => {
    await drawnFinely(operator);
    const next = await picture();
    const moved = differing(last, next).some(Boolean);
    last = next;
    return moved;
  }).toBe(false);
  return last;
}

/** Returns the picture, reduced to a quarter of its width and height, as RGB values from 0 to 255, three for each pixel. */
async function picture(): Promise<number[]> {
  const png = await operator.page.locator(".canvas canvas").screenshot();
  return operator.page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const [width, height] = [Math.round(image.width / 4), Math.round(image.height / 4)];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0, width, height);
    const rgba = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    return Array.from(rgba).filter((_, i) => i % 4 !== 3);
  }, png.toString("base64"));
}

function differing(a: readonly number[], b: readonly number[]): boolean[] {
  const pixels: boolean[] = [];
  for (let i = 0; i < a.length; i += 3) pixels.push([0, 1, 2].some((k) => Math.abs((a[i + k] ?? 0) - (b[i + k] ?? 0)) > 24));
  return pixels;
}

test("in a preview the robot stays as it is, and the preview is a ghost", async () => {
  const { page } = operator;
  await operator.go("robot");
  await page.getByRole("slider", { name: "joint1" }).waitFor();
  await page.getByRole("button", { name: "Side" }).click();
  const real = await restingPicture();
  await page.getByRole("slider", { name: "joint1" }).fill("0.9");
  await page.getByRole("slider", { name: "joint2" }).fill("0.9");
  await operator.sees(() => page.locator("div.posed").textContent()).toContain("the robot is drawn solid");
  expect(await page.getByRole("list", { name: "Legend" }).textContent()).toContain("preview");
  await operator.sees(() => picture().then((p) => differing(real, p).filter(Boolean).length)).toBeGreaterThan(100); // the ghost is drawn
  const preview = await restingPicture();
  await page.getByRole("button", { name: /Discard/ }).click();
  await operator.sees(() => picture().then((p) => differing(preview, p).filter(Boolean).length)).toBeGreaterThan(100);
  const after = await restingPicture();

  const changed = differing(real, preview);
  const count = changed.filter(Boolean).length;
  // Where something changed there was background before: the solid robot has not moved.
  const [r, g, b] = real.slice(0, 3);
  const covered = changed.filter((c, i) => c && Math.abs((real[3 * i] ?? 0) - (r ?? 0)) + Math.abs((real[3 * i + 1] ?? 0) - (g ?? 0)) + Math.abs((real[3 * i + 2] ?? 0) - (b ?? 0)) > 90).length;
  expect(covered).toBeLessThan(0.35 * count);
  expect(differing(real, after).filter(Boolean).length).toBeLessThan(0.05 * count); // and looks as before
});
