// Several plots on the page Scope, in Chromium, with the simulated console.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

/** Opens the scope with only the given signals. */
async function scope(...signals: string[]): Promise<void> {
  page = await mock.open("/scope?system=janus");
  await page.waitForSelector(".list .row");
  for (const name of signals) await draw(name);
}

/** Types a signal or a formula into the search field, and draws it. */
async function draw(name: string): Promise<void> {
  await page.getByLabel("Search signals").fill(name);
  await page.keyboard.press("Enter");
  await row(name).waitFor();
  await page.getByLabel("Search signals").fill("");
  await page.getByLabel("Search signals").blur();
}

const row = (name: string) => page.locator("tbody tr", { has: page.getByText(name, { exact: true }) });
const pane = (at: number) => page.getByRole("region", { name: `Plot ${at}` });
const chips = (at: number) => pane(at).locator(".chip button:first-of-type").allTextContents();
const add = (kind: "time" | "xy" | "spectrum") => page.getByLabel("Add a plot").selectOption(kind);

test("signals move between plots by mouse, menu and keyboard, and a reload keeps them", async () => {
  await scope("joint1.position", "pid1.out");
  await page.keyboard.press("n");
  await expect.poll(() => chips(1)).toEqual(["joint1.position", "pid1.out"]);
  await pane(1).locator(".chip", { hasText: "pid1.out" }).dragTo(pane(2).locator(".picture"));
  await expect.poll(() => chips(2)).toEqual(["pid1.out"]);
  expect(await chips(1)).toEqual(["joint1.position"]);
  await page.getByLabel("Add a signal to plot 2").selectOption("joint1.position");
  await expect.poll(() => chips(2)).toEqual(["pid1.out", "joint1.position"]);
  await row("pid1.out").locator("td.unit").click();
  await page.keyboard.press("[");
  await expect.poll(() => chips(1)).toEqual(["pid1.out"]);
  await page.locator(".list .row", { hasText: "joint2.position" }).dragTo(pane(2).locator(".picture"));
  await expect.poll(() => chips(2)).toEqual(["joint1.position", "joint2.position"]);
  await page.getByRole("button", { name: "Move plot 2 up" }).click();
  await expect.poll(() => chips(1)).toEqual(["joint1.position", "joint2.position"]);
  await page.reload();
  await expect.poll(() => chips(1)).toEqual(["joint1.position", "joint2.position"]);
  expect(await chips(2)).toEqual(["pid1.out"]);
  await page.getByRole("button", { name: "Remove plot 1" }).click();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
});

test("the time axes of plots are in line, and share zoom and pointer", async () => {
  await scope("joint1.position", "pid1.out");
  await expect.poll(() => page.locator("tbody td.now").allTextContents().then((t) => t.every((v) => /\d/.test(v)))).toBe(true);
  await add("time");
  await draw("joint2.position");
  await page.keyboard.press(" ");
  const area = (at: number) => pane(at).locator(".u-over");
  const boxes = await Promise.all([1, 2].map((at) => area(at).boundingBox()));
  expect(boxes[0]?.x).toBeCloseTo(boxes[1]?.x ?? 0, 1);
  expect(boxes[0]?.width).toBeCloseTo(boxes[1]?.width ?? 0, 1); // although only the first has an axis on the right
  const [top, bottom] = boxes;
  if (!top || !bottom) throw new Error("no plots");
  await page.mouse.move(bottom.x + 200, bottom.y + 20);
  await expect.poll(async () => (await pane(1).locator(".u-cursor-x").boundingBox())?.x ?? 0).toBeGreaterThan(top.x + 195);
  await page.mouse.down();
  await page.mouse.move(bottom.x + 300, bottom.y + 22, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => page.getByLabel("Time span").locator("option:checked").textContent()).not.toBe("10 s");
});

test("an XY plot shows one signal over another, and exchanges its horizontal axis", async () => {
  await scope("joint1.position", "joint2.position");
  await add("xy");
  await expect.poll(() => page.getByLabel("Horizontal axis of plot 2").inputValue()).toBe("joint1.position");
  expect(await chips(2)).toEqual(["joint2.position"]);
  const drawn = () =>
    pane(2)
      .locator("canvas")
      .evaluate((c) => {
        const { data } = (c as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, (c as HTMLCanvasElement).width, (c as HTMLCanvasElement).height) ?? { data: [] };
        let n = 0;
        for (let i = 0; i < data.length; i += 4) if (Math.abs((data[i] ?? 0) - (data[i + 2] ?? 0)) > 100) n++;
        return n;
      });
  await expect.poll(drawn).toBeGreaterThan(200);
  await page.getByLabel("Horizontal axis of plot 2").selectOption("joint2.position");
  await page.getByLabel("Add a signal to plot 2").selectOption("joint1.position");
  await expect.poll(() => chips(2)).toEqual(["joint1.position"]);
  await add("spectrum");
  await expect.poll(() => page.locator(".pane").count()).toBe(3);
  await page.reload();
  await expect.poll(() => page.locator(".pane").count()).toBe(3);
  expect(await page.getByLabel("Horizontal axis of plot 2").inputValue()).toBe("joint2.position");
});

test("a spectrum shows its peak, and why there is none", async () => {
  await scope("joint1.position");
  await page.getByRole("button", { name: "Log…" }).click(); // a recording: its samples are regular also on a busy machine
  await page.getByRole("button", { name: /^janus\.mcap/ }).click();
  await add("spectrum");
  await expect.poll(() => pane(2).locator(".reading").textContent()).toMatch(/^[\d.]+ Hz · [\d.]+ rad$/);
  await pane(1).locator(".u-over").hover();
  for (let i = 0; i < 30; i++) await page.mouse.wheel(0, -100); // to 60 s · 0.8^30 = 74 ms
  await expect.poll(() => pane(2).locator(".notes").textContent()).toMatch(/^No spectrum of joint1\.position: only \d+ samples in this span/);
  expect(await pane(2).locator(".reading").count()).toBe(0);
});

test("at 820 px, why two signals have no spectrum is one note inside the plot", async () => {
  await scope("joint1.position", "pid1.out");
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.getByRole("button", { name: "Log…" }).click();
  await page.getByRole("button", { name: /^janus\.mcap/ }).click();
  await add("xy");
  await add("spectrum");
  await page.getByLabel("Add a signal to plot 3").selectOption("joint1.position");
  await pane(1).locator(".u-over").hover();
  for (let i = 0; i < 30; i++) await page.mouse.wheel(0, -100);
  const notes = pane(3).locator(".notes");
  await expect.poll(() => notes.innerText()).toMatch(/^No spectrum of [\w.]+, [\w.]+: only \d+ samples in this span; at least \d+ are needed$/);
  const inside = await notes.evaluate((n) => {
    const [text, plot] = [document.createRange(), n.parentElement?.getBoundingClientRect()];
    text.selectNodeContents(n);
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return plot !== undefined && left >= plot.left && right <= plot.right && top >= plot.top && bottom <= plot.bottom - 40; // above the axis
  });
  expect(inside).toBe(true);
});

test("a formula is drawn, and its errors are shown at their place", async () => {
  await scope("joint1.position");
  await page.keyboard.press("=");
  await page.keyboard.type("joint1.position * 2 +");
  const help = page.locator(".formula");
  await expect.poll(() => help.textContent()).toContain("a value is missing at the end");
  await page.keyboard.type(" joint7.position");
  await expect.poll(() => help.locator("mark").textContent()).toBe("j");
  expect(await help.textContent()).toContain("there is no signal “joint7.position”");
  await page.keyboard.press("Enter");
  expect(await page.locator("tbody tr").count()).toBe(1);
  await draw("= 2*joint1.position - joint1.position");
  await page.keyboard.press(" ");
  const value = async (name: string) => Number((await row(name).locator("td.now").textContent())?.replace("−", "-"));
  await expect.poll(async () => Math.abs((await value("= 2*joint1.position - joint1.position")) - (await value("joint1.position")))).toBeLessThan(1e-3);
  expect(await row("= 2*joint1.position - joint1.position").locator("td.unit").textContent()).toBe("rad");
  await page.reload();
  await expect.poll(() => value("= 2*joint1.position - joint1.position")).not.toBeNaN();
});

test("a recording is drawn over another, and shifted by number and by drag", async () => {
  await scope("joint1.position");
  const open = () => page.getByRole("button", { name: "Log…" }).click();
  await open();
  await page.getByRole("button", { name: /^janus\.mcap/ }).click();
  await open();
  await page.getByRole("button", { name: "Compare with janus-before.mcap" }).click();
  const compared = row("janus-before.mcap");
  const now = async (of: typeof compared) => Number((await of.locator("td.now").textContent())?.replace("−", "-"));
  await expect.poll(() => now(compared)).not.toBeNaN();
  await expect.poll(async () => Math.abs((await now(compared)) - (await now(row("joint1.position"))))).toBeLessThan(0.01); // the same, until it is shifted
  const shift = page.getByRole("group", { name: "Comparison" }).getByLabel("Shift");
  await shift.fill("1.5");
  await shift.press("Enter");
  await expect.poll(async () => Math.abs((await now(compared)) - (await now(row("joint1.position"))))).toBeGreaterThan(0.05);
  const box = await page.locator(".u-over").boundingBox();
  if (!box) throw new Error("no picture");
  await page.keyboard.down("Control");
  await page.mouse.move(box.x + 300, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 300 + box.width / 60, box.y + 50, { steps: 3 }); // 1 s of the 60 s
  await page.mouse.up();
  await page.keyboard.up("Control");
  await expect.poll(() => shift.inputValue().then(Number)).toBeGreaterThan(2.4);
  expect(Number(await shift.inputValue())).toBeLessThan(2.6);
  await page.getByRole("button", { name: "Stop comparing" }).click();
  await expect.poll(() => compared.count()).toBe(0);
  await page.getByRole("button", { name: "× janus.mcap" }).click();
  await open();
  await page.getByRole("button", { name: "Compare with janus-before.mcap" }).click(); // over the running system
  await expect.poll(() => now(compared)).not.toBeNaN();
});
