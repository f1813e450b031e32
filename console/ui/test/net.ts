// The drawing of the net for browser tests: where its boxes are, and drags of them.
import type { Page } from "playwright-core";

interface Box {
  /** x, y, width and height in the drawing */
  rect: number[];
  /** on the screen */
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Waits for a box, and returns where it is. */
export async function boxOf(page: Page, name: string): Promise<Box> {
  const canvas = page.locator("canvas[data-places]");
  await page.waitForFunction((n) => n in (JSON.parse(document.querySelector("canvas[data-places]")?.getAttribute("data-places") ?? '{"boxes":{}}') as { boxes: object }).boxes, name);
  return canvas.evaluate((c, n) => {
    const { boxes } = JSON.parse(c.getAttribute("data-places") ?? "") as { boxes: Record<string, number[]> };
    const v = JSON.parse(c.getAttribute("data-view") ?? "") as { scale: number; x: number; y: number };
    const [x = 0, y = 0, w = 0, h = 0] = boxes[n] ?? [];
    const at = c.getBoundingClientRect();
    return { rect: [x, y, w, h], left: at.left + x * v.scale + v.x, top: at.top + y * v.scale + v.y, width: w * v.scale, height: h * v.scale };
  }, name);
}

/** Drags a box by px of the screen. */
export async function dragBox(page: Page, name: string, dx: number, dy: number): Promise<void> {
  const { left, top, width, height } = await boxOf(page, name);
  const [x, y] = [left + width / 2, top + Math.min(10, height / 2)];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 8 });
  await page.mouse.up();
}
