// Measurements of the pictures of the pages Robot and Plan, for tests.
import type { Page } from "playwright-core";
import { stands, type Operator } from "./operator";

/** Returns the position of the tool handle's blue arrow (z). Waits until it is drawn and stands still: a busy page draws late. */
export async function arrow({ page }: { page: Page }): Promise<{ x: number; y: number }> {
  const canvas = page.locator(".canvas canvas");
  const box = (await canvas.boundingBox()) ?? { x: 0, y: 0 };
  const find = async (): Promise<{ x: number; y: number } | null> => page.evaluate(bluest, (await canvas.screenshot()).toString("base64"));
  const tip = await stands(find, 300);
  return { x: box.x + tip.x, y: box.y + tip.y + 3 };
}

/** Runs in the page: returns the topmost pure blue pixel of a picture. */
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

type Colour = "red" | "green" | "magenta";

/** Returns the part of the picture that has a colour, from 0 to 1: red are bodies that touch, green collision shapes. */
export async function part({ page }: Operator, colour: Colour): Promise<number> {
  return page.evaluate(partOf, { png: (await page.locator(".canvas canvas").screenshot()).toString("base64"), colour });
}

/** Returns the part of the picture that is red, as bodies that touch are. */
export const reds = (operator: Operator): Promise<number> => part(operator, "red");

/** Runs in the page: returns the part of a picture that has a colour. */
async function partOf({ png, colour }: { png: string; colour: Colour }): Promise<number> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!drawing) return NaN;
  [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
  drawing.drawImage(image, 0, 0);
  const pixels = drawing.getImageData(0, 0, image.width, image.height).data;
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    if (colour === "red" ? r > 100 && g < r / 2 && b < r / 2 : colour === "green" ? g > 60 && r < 0.75 * g && b < g : r > 100 && b > 100 && g < r / 2) count++;
  }
  return count / (image.width * image.height);
}

/** Returns which part of the picture's width and height the robot takes. Of all that is drawn, only the robot may be on. */
export async function robotShare({ page }: Operator): Promise<{ width: number; height: number }> {
  const overlays = await page.addStyleTag({ content: ".stage > :not(.canvas) { visibility: hidden !important }" });
  const png = (await page.locator(".canvas canvas").screenshot()).toString("base64");
  await overlays.evaluate((style) => (style as HTMLStyleElement).remove());
  return page.evaluate(shareOf, png);
}

/** Runs in the page: returns the part of a picture's width and height that differs from its corner, more than a shadow does. */
async function shareOf(png: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const { width, height } = image;
  const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!drawing) return { width: NaN, height: NaN };
  [drawing.canvas.width, drawing.canvas.height] = [width, height];
  drawing.drawImage(image, 0, 0);
  const pixels = drawing.getImageData(0, 0, width, height).data;
  const [x, y] = [new Set<number>(), new Set<number>()];
  const shadow = 60; // of 255
  for (let i = 0; i < pixels.length; i += 4) {
    const most = Math.max(...[0, 1, 2].map((c) => Math.abs((pixels[i + c] ?? 0) - (pixels[c] ?? 0))));
    if (most <= shadow) continue;
    x.add((i / 4) % width);
    y.add(Math.floor(i / 4 / width));
  }
  return { width: (Math.max(...x) - Math.min(...x) + 1) / width, height: (Math.max(...y) - Math.min(...y) + 1) / height };
}

/** Returns the longest vertical run of pixels at the left or right edge of a dark picture that are as bright as a body: of one that is cut there. */
export async function cutAtEdges({ page }: Operator): Promise<number> {
  const overlays = await page.addStyleTag({ content: ".stage > :not(.canvas) { visibility: hidden !important }" });
  const png = (await page.locator(".canvas canvas").screenshot()).toString("base64");
  await overlays.evaluate((style) => (style as HTMLStyleElement).remove());
  return page.evaluate(longestRun, png);
}

/** Runs in the page: returns the longest run of bright pixels in the first and last columns of a picture. Lines of the floor's grid give short ones. */
async function longestRun(png: string): Promise<number> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!drawing) return NaN;
  [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
  drawing.drawImage(image, 0, 0);
  let longest = 0;
  for (const x of [1, image.width - 2]) {
    const pixels = drawing.getImageData(x, 0, 1, image.height).data;
    for (let y = 0, run = 0; y < image.height; y++) {
      run = Math.min(...pixels.subarray(4 * y, 4 * y + 3)) > 90 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}
