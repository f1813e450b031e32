// Measurements of the pictures of the pages Robot and Plan, for tests.
import type { JSHandle, Page } from "playwright-core";
import { stands, type Operator } from "./operator";

/** Takes a picture of the 3-D view and returns what measure finds in its pixels, which stay in the page. */
async function pixels<T>(page: Page, measure: (pixels: JSHandle<ImageData>) => Promise<T>): Promise<T> {
  const taken = await page.evaluateHandle(decode, (await page.locator(".canvas canvas").screenshot()).toString("base64"));
  const found = await measure(taken);
  await taken.dispose();
  return found;
}

/** The same without what lies over the view. */
async function pixelsWithoutOverlays<T>(page: Page, measure: (pixels: JSHandle<ImageData>) => Promise<T>): Promise<T> {
  const overlays = await page.addStyleTag({ content: ".stage > :not(.canvas) { visibility: hidden !important }" });
  const found = await pixels(page, measure);
  await overlays.evaluate((style) => (style as HTMLStyleElement).remove());
  return found;
}

/** Runs in the page: returns the pixels of a PNG file in base64. */
async function decode(png: string): Promise<ImageData> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!drawing) throw new Error("the browser has no 2-D canvas");
  [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
  drawing.drawImage(image, 0, 0);
  return drawing.getImageData(0, 0, image.width, image.height);
}

/** Returns the position of the tool handle's blue arrow (z). Waits until it is drawn and stands still: a busy page draws late. */
export async function arrow({ page }: { page: Page }): Promise<{ x: number; y: number }> {
  const canvas = page.locator(".canvas canvas");
  const box = (await canvas.boundingBox()) ?? { x: 0, y: 0 };
  const find = (): Promise<{ x: number; y: number } | null> => pixels(page, (p) => p.evaluate(bluest));
  const tip = await stands(find, 300);
  return { x: box.x + tip.x, y: box.y + tip.y + 3 };
}

/** Runs in the page: returns the topmost pure blue pixel of a picture. */
function bluest({ data, width }: ImageData): { x: number; y: number } | null {
  for (let i = 0; i < data.length; i += 4) {
    const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3);
    if (b > 200 && r < 60 && g < 60) return { x: (i / 4) % width, y: Math.floor(i / 4 / width) };
  }
  return null;
}

type Colour = "red" | "green" | "magenta";

/** Returns the part of the picture that has a colour, from 0 to 1: red are bodies that touch, green collision shapes. */
export async function part({ page }: Operator, colour: Colour): Promise<number> {
  return pixels(page, (p) => p.evaluate(partOf, colour));
}

/** Returns the part of the picture that is red, as bodies that touch are. */
export const reds = (operator: Operator): Promise<number> => part(operator, "red");

/** Runs in the page: returns the part of a picture that has a colour. */
function partOf({ data, width, height }: ImageData, colour: Colour): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3);
    if (colour === "red" ? r > 100 && g < r / 2 && b < r / 2 : colour === "green" ? g > 60 && r < 0.75 * g && b < g : r > 100 && b > 100 && g < r / 2) count++;
  }
  return count / (width * height);
}

/** Returns which part of the picture's width and height the robot takes. Of all that is drawn, only the robot may be on. */
export async function robotShare({ page }: Operator): Promise<{ width: number; height: number }> {
  return pixelsWithoutOverlays(page, (p) => p.evaluate(shareOf));
}

/** Runs in the page: returns the part of a picture's width and height that differs from its corner, more than a shadow does. */
function shareOf({ data, width, height }: ImageData): { width: number; height: number } {
  const [x, y] = [new Set<number>(), new Set<number>()];
  const shadow = 60; // of 255
  for (let i = 0; i < data.length; i += 4) {
    const most = Math.max(...[0, 1, 2].map((c) => Math.abs((data[i + c] ?? 0) - (data[c] ?? 0))));
    if (most <= shadow) continue;
    x.add((i / 4) % width);
    y.add(Math.floor(i / 4 / width));
  }
  return { width: (Math.max(...x) - Math.min(...x) + 1) / width, height: (Math.max(...y) - Math.min(...y) + 1) / height };
}

/** Returns the longest vertical run of pixels at the left or right edge of a dark picture that are as bright as a body: of one that is cut there. */
export async function cutAtEdges({ page }: Operator): Promise<number> {
  return pixelsWithoutOverlays(page, (p) => p.evaluate(longestRun));
}

/** Runs in the page: returns the longest run of bright pixels in the first and last columns of a picture. Lines of the floor's grid give short ones. */
function longestRun({ data, width, height }: ImageData): number {
  let longest = 0;
  for (const x of [1, width - 2]) {
    for (let y = 0, run = 0; y < height; y++) {
      const i = 4 * (y * width + x);
      run = Math.min(...data.subarray(i, i + 3)) > 90 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}

/** Waits for as many frames, and as long, as the page takes at least to draw a robot finely that has come to rest. */
export async function drawnFinely({ page }: Operator): Promise<void> {
  await page.evaluate(async () => {
    const begin = performance.now();
    for (let n = 0; n < 30 || performance.now() - begin < 500; n++) await new Promise(requestAnimationFrame);
  });
}
