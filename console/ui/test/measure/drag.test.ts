// How fast a net of 500 blocks is drawn while it, or a box of it, is dragged, with the simulated console.
import { expect, test } from "vitest";
import { mockConsole } from "../browser";
import { boxOf } from "../net";

const mock = mockConsole();

test("frames a second while a net of 500 blocks is dragged", async () => {
  const page = await mock.open("/net?system=plant");
  await page.getByRole("button", { name: "Open all" }).click();
  await expect.poll(() => page.locator(".reader button").count()).toBe(555);
  const box = await page.locator("canvas").boundingBox();
  if (!box) throw new Error("no canvas");
  await page.mouse.move(box.x + 600, box.y + 400);
  const frames = page.evaluate(async () => {
    const start = performance.now();
    let n = 0;
    while (performance.now() - start < 2_000) {
      await new Promise(requestAnimationFrame);
      n++;
    }
    return n / 2;
  });
  await page.mouse.down();
  for (let i = 0; i < 120; i++) await page.mouse.move(box.x + 600 + 3 * (i % 60), box.y + 400 + (i % 40));
  await page.mouse.up();
  const rate = await frames;
  console.log(`500 blocks: ${rate.toFixed(0)} frames a second while dragging`);
});

test("time of a frame while a box of 500 is dragged", async () => {
  const page = await mock.open("/net?system=plant");
  await page.getByRole("button", { name: "Open all" }).click();
  const box = await boxOf(page, "line3.cell5.pid");
  await page.mouse.move(box.left + box.width / 2, box.top + box.height / 2);
  await page.mouse.down();
  const ms = await page.evaluate(
    ([x, y]) =>
      new Promise<number>((done) => {
        const canvas = document.querySelector("canvas[data-places]");
        const start = performance.now();
        let frames = 0;
        const step = (): void => {
          canvas?.dispatchEvent(new PointerEvent("pointermove", { clientX: (x ?? 0) + 3 * frames, clientY: (y ?? 0) + 2 * frames, isPrimary: true, buttons: 1, bubbles: true }));
          if (++frames < 30) requestAnimationFrame(step);
          else done((performance.now() - start) / frames);
        };
        requestAnimationFrame(step);
      }),
    [box.left, box.top],
  );
  await page.mouse.up();
  console.log(`a frame while a box of 500 is dragged: ${ms.toFixed(1)} ms`);
});
