// Net, Robot and Scope under fingers on a tablet of 820 × 1180 pixels: Chromium gets real touches through its debugging protocol.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";
import { Fingers } from "./fingers";
import { patience } from "./patience";

const mock = mockConsole();
const pages = ["cockpit", "net", "net?edit=1", "tree/pid1", "scope", "robot", "panels", "system", "tune"];

async function tablet(at: string): Promise<{ page: Page; fingers: Fingers }> {
  const page = await mock.open(at, { width: 820, height: 1180, touch: true });
  return { page, fingers: await Fingers.on(page) };
}

interface View {
  scale: number;
  x: number;
  y: number;
}

/** Returns the view of the drawing of the net in the editor. */
const viewOf = (page: Page): Promise<View> => page.evaluate(() => JSON.parse(document.querySelector("canvas")?.dataset["view"] ?? "{}") as View);

/** Returns the place of a box's middle on the screen. */
const boxAt = (page: Page, name: string): Promise<[number, number]> =>
  page.evaluate((n) => {
    const canvas = document.querySelector("canvas");
    const { left, top } = canvas?.getBoundingClientRect() ?? new DOMRect();
    const { boxes } = JSON.parse(canvas?.dataset["places"] ?? "{}") as { boxes: Record<string, [number, number, number, number]> };
    const view = JSON.parse(canvas?.dataset["view"] ?? "{}") as { scale: number; x: number; y: number };
    const [x, y, w, h] = boxes[n] ?? [0, 0, 0, 0];
    return [left + view.x + (x + w / 2) * view.scale, top + view.y + (y + h / 2) * view.scale];
  }, name);

test("one finger pans the net, two zoom it about their middle, and a tap selects", async () => {
  const { page, fingers } = await tablet("/net?edit=1");
  await page.getByText("No problems found").waitFor();
  await expect.poll(() => viewOf(page).then((v) => v.scale)).toBeGreaterThan(0);
  const first = await viewOf(page);
  const canvas = await page.locator("canvas").boundingBox();
  if (!canvas) throw new Error("no canvas");
  const [x, y] = [canvas.x + 10, canvas.y + canvas.height - 60];
  await fingers.drag([[x, y]], [[x + 80, y - 120]]);
  const panned = await viewOf(page);
  expect(panned.x - first.x).toBeCloseTo(80, 6);
  expect(panned.y - first.y).toBeCloseTo(-120, 6);
  expect(panned.scale).toBe(first.scale);

  const middle = canvas.x + canvas.width / 2;
  const before = await boxAt(page, "pid1");
  await fingers.drag([[middle - 50, y], [middle + 50, y]], [[middle - 100, y], [middle + 100, y]]);
  const zoomed = await viewOf(page);
  expect(zoomed.scale).toBeCloseTo(2 * panned.scale, 5);
  const after = await boxAt(page, "pid1");
  expect(after[0] - middle).toBeCloseTo(2 * (before[0] - middle), 0);

  await page.keyboard.press("f"); // all of the net is shown, so that both boxes are
  await expect.poll(() => viewOf(page).then((v) => v.scale)).toBeLessThan(panned.scale);
  await fingers.tap(...(await boxAt(page, "pid1")));
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("pid1");
  await fingers.press(...(await boxAt(page, "pid2")));
  await expect.poll(() => page.locator("aside").last().innerText()).toContain("2 selected");
});

test("a long press on a link of the net shows its value", async () => {
  const { page, fingers } = await tablet("/net");
  await page.locator(".reader button").first().waitFor({ state: "attached" });
  const canvas = await page.locator("canvas").boundingBox();
  if (!canvas) throw new Error("no canvas");
  const tip = page.locator(".tip");
  const left = [canvas.x + 6, canvas.y + canvas.height - 50] as const;
  const link = await search(0.3, 0.7, 25, async (x, y) => {
    const at = [canvas.x + x * canvas.width, canvas.y + y * canvas.height] as const;
    await page.mouse.move(...at); // faster than fingers, which would have to rest everywhere
    return (await tip.count()) > 0 ? at : undefined;
  });
  await page.mouse.move(...left);
  await expect.poll(() => tip.count()).toBe(0);
  await fingers.press(...link);
  await expect.poll(() => tip.innerText()).toContain("→");
  await fingers.tap(...left);
  await expect.poll(() => tip.count()).toBe(0);
});

test("one finger turns the robot, two zoom, a tap selects a body, which a finger then drags", async () => {
  const { page, fingers } = await tablet("/robot?system=janus");
  await page.getByRole("slider", { name: "joint1" }).waitFor();
  await page.getByRole("slider", { name: "joint1" }).fill("0"); // a preview, which does not move
  await page.getByRole("slider", { name: "joint2" }).fill("0");
  await page.getByRole("button", { name: "Side" }).click();
  const canvas = await page.locator(".canvas canvas").boundingBox();
  if (!canvas) throw new Error("no canvas");
  const picture = (): Promise<string> => page.locator(".canvas canvas").screenshot().then((p) => p.toString("base64"));
  const pose = (): Promise<string> => page.locator(".joint .num").allTextContents().then((t) => t.join());
  const posed = await pose();
  const corner = [canvas.x + 60, canvas.y + canvas.height - 150] as const;

  const first = await picture();
  await fingers.drag([[...corner]], [[corner[0] + 60, corner[1]]]);
  await expect.poll(picture).not.toBe(first);
  const turned = await picture();
  await fingers.drag([[...corner], [corner[0] + 200, corner[1]]], [[corner[0] + 40, corner[1]], [corner[0] + 160, corner[1]]]);
  await expect.poll(picture).not.toBe(turned);
  await page.getByRole("button", { name: "Side" }).click();

  let body = await grabbable(page, canvas);
  const beside = (): [number, number] => [body[0] + 50, body[1] + 15];
  await fingers.drag([body], [beside()]); // nothing is selected: this turns the view
  expect(await pose()).toBe(posed);
  await page.getByRole("button", { name: "Side" }).click();
  body = await grabbable(page, canvas); // the running robot, which the viewpoint shows as well, may have reached farther meanwhile
  await fingers.tap(...body);
  await fingers.drag([body], [beside()]);
  await expect.poll(pose).not.toBe(posed);
});

/** Returns a place on the upper link of a Janus that stands upright in the side view: it lies on a line across the picture, somewhere, since all poses until the viewpoint was chosen fill the picture. */
async function grabbable(page: Page, { x, y, width, height }: { x: number; y: number; width: number; height: number }): Promise<[number, number]> {
  const cursor = (): Promise<string> => page.locator(".canvas canvas").evaluate((c) => (c as HTMLElement).style.cursor);
  for (const end = Date.now() + patience; Date.now() < end; ) {
    for (let i = 0; i < 45; i++) { // from the middle to both sides
      const at: [number, number] = [x + (0.5 + (i % 2 === 0 ? 0.01 : -0.01) * i) * width, y + 0.4 * height];
      await page.mouse.move(...at);
      await page.evaluate(() => new Promise(requestAnimationFrame)); // the page handles the mouse event first
      if ((await cursor()) === "grab") return at;
    }
  }
  throw new Error("no body on the line");
}

/** Tries places in the middle of a picture, as shares of its width and height, again and again until one gives a result: the picture may be drawn later. */
async function search<T>(from: number, to: number, count: number, attempt: (x: number, y: number) => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < count; k++) {
        const found = await attempt(from + ((to - from) * k) / count, from + ((to - from) * i) / count);
        if (found !== undefined) return found;
      }
    }
  }
  throw new Error("found nowhere in the picture");
}

test("one finger pans the scope's time, two zoom it, a long press reads, and a cursor is dragged", async () => {
  const { page, fingers } = await tablet("/scope?system=janus");
  await page.getByLabel("Search signals").fill("joint1.position");
  await page.getByRole("button", { name: "Draw joint1.position", exact: true }).tap();
  const state = page.locator(".bar .state");
  await expect.poll(() => page.locator("tbody td.now").first().textContent()).toMatch(/^−?\d/);
  const box = await page.locator(".u-over").boundingBox();
  if (!box) throw new Error("no plot");
  const [x, y] = [box.x + box.width / 2, box.y + 100];
  const span = (): Promise<string | null> => page.getByLabel("Time span").locator("option:checked").textContent();
  const before = await span();
  await fingers.drag([[x, y]], [[x + 60, y]]);
  await expect.poll(() => state.textContent()).toBe("Held");
  expect(await span()).toBe(before); // panning keeps the span
  await fingers.drag([[x - 40, y], [x + 40, y]], [[x - 80, y], [x + 80, y]]);
  await expect.poll(span).toBe("5 s");

  await fingers.press(x, y);
  await expect.poll(() => page.locator("thead th").allTextContents().then((t) => t.join())).toContain("Pointer");
  await fingers.tap(x, y);
  await expect.poll(() => page.locator("thead th").allTextContents().then((t) => t.join())).not.toContain("Pointer");

  await page.getByRole("button", { name: "Cursors" }).tap();
  const delta = page.locator("thead th", { hasText: "Δ" });
  const apart = await delta.textContent();
  await fingers.drag([[box.x + box.width / 3, y]], [[box.x + box.width / 6, y]]);
  await expect.poll(() => delta.textContent()).not.toBe(apart);
});

test.each(pages)("everything that acts on %s is at least 40 px high and wide", async (at) => {
  const { page } = await tablet(`/${at}`);
  await page.locator("main").getByRole("button").or(page.locator("main canvas")).first().waitFor();
  expect(await page.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(true);
  await expect.poll(() => page.evaluate(small), { message: at }).toEqual([]);
});

/** Runs in the page: returns what is too small for a finger. A label enlarges its checkbox; flags of the time bar have buttons beside it. */
function small(): string[] {
  return [...document.querySelectorAll("button, select, input, nav a, [role=option], [role=treeitem]")]
    .filter((e) => !e.matches(".flag, .reader *"))
    .map((e) => (e.matches("input[type=checkbox], input[type=radio]") ? (e.closest("label") ?? e) : e))
    .filter((e) => {
      const { width, height } = e.getBoundingClientRect();
      return width > 1 && (width < 39.5 || height < 39.5);
    })
    .map((e) => `${e.tagName} ${e.className} “${e.getAttribute("aria-label") ?? e.textContent.trim()}” ${Math.round(e.getBoundingClientRect().width)} × ${Math.round(e.getBoundingClientRect().height)}`);
}
