// The page Scope in Chromium, with the simulated console.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { content, mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function scope(...signals: string[]): Promise<void> {
  page = await mock.open("/scope?system=janus");
  await page.waitForSelector(".list .row");
  for (const name of signals) await add(name);
}

async function add(name: string): Promise<void> {
  await page.keyboard.press("s");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

const row = (name: string) => page.locator("tbody tr", { has: page.getByText(name, { exact: true }) });
const state = () => page.locator(".bar .state");

/** Counts the pixels of the picture in a colour of the theme. */
function inked(variable: string): Promise<number> {
  return page.evaluate((name) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".picture canvas");
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (!canvas || !probe) return -1;
    probe.canvas.width = canvas.width;
    probe.canvas.height = canvas.height;
    probe.drawImage(canvas, 0, 0);
    const { data } = probe.getImageData(0, 0, canvas.width, canvas.height);
    const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    let n = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs((data[i] ?? 0) - (r ?? 0)) + Math.abs((data[i + 1] ?? 0) - (g ?? 0)) + Math.abs((data[i + 2] ?? 0) - (b ?? 0)) < 24) n++;
    }
    return n;
  }, variable);
}

test("signals are added by keyboard, drawn and measured", async () => {
  await scope("joint1.position", "controller.act");
  await expect.poll(() => page.locator("tbody tr").count()).toBe(3); // the array has two elements
  await expect.poll(() => inked("--s1")).toBeGreaterThan(200);
  await expect.poll(() => row("joint1.position").locator("td.now").textContent()).toMatch(/^−?\d/);
  await page.keyboard.press("Delete");
  expect(await page.locator("tbody tr").count()).toBe(2);
});

test("a signal is dragged into the picture", async () => {
  await scope();
  await page.locator(".row", { hasText: "pid1.out" }).dragTo(page.locator(".picture"));
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
});

test("the picture is held, zoomed with the mouse, and runs again", async () => {
  await scope("joint1.position");
  await expect.poll(() => inked("--s1")).toBeGreaterThan(200);
  await page.keyboard.press(" ");
  expect(await state().textContent()).toBe("Held");
  const box = await page.locator(".u-over").boundingBox();
  if (!box) throw new Error("no picture");
  await page.mouse.move(box.x + box.width * 0.9, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => page.getByLabel("Time span").locator("option:checked").textContent()).toMatch(/^(5\d\d ms|49\d(\.\d)? ms|0\.5 s)$/);
  await page.keyboard.press("Home");
  expect(await state().textContent()).toBe("Running");
});

test("a single trigger stops at its edge", async () => {
  await scope("joint1.position");
  await page.getByLabel("Time span").selectOption("1");
  await page.getByLabel("Trigger", { exact: true }).selectOption("single");
  await expect.poll(() => state().textContent()).toBe("Stopped");
  await page.getByRole("button", { name: "Arm" }).click();
  expect(await state().textContent()).toMatch(/Waiting for edge|Stopped/);
});

test("cursors show the time between them", async () => {
  await scope("joint1.position");
  await expect.poll(() => inked("--s1")).toBeGreaterThan(200);
  await page.keyboard.press("c");
  await expect.poll(() => page.locator("thead th", { hasText: "Δ" }).textContent()).toMatch(/3\.333 s/);
});

test("non-finite values are drawn as gaps and counted", async () => {
  await scope("pid1.out");
  await expect.poll(() => row("pid1.out").locator("td.now").textContent()).toMatch(/^−?\d/);
  const override = (value: string | null) =>
    page.evaluate((v) => {
      const { overrides } = (window as unknown as { sinewMock: { server: { system(n: string): { overrides: Map<string, unknown> } } } }).sinewMock.server.system("janus");
      if (v === null) overrides.delete("pid1.out");
      else overrides.set("pid1.out", v);
    }, value);
  const gaps = () => row("pid1.out").locator(".gaps").textContent();
  await override("NaN");
  await expect.poll(gaps).toMatch(/gaps: \d+ NaN/);
  await override("+Inf");
  await expect.poll(gaps).toMatch(/gaps: \d+ NaN, \d+ \+Inf/);
  await override(null);
});

test("traces survive a reload, and missing signals are reported", async () => {
  await scope("joint1.position");
  await page.evaluate(() => {
    const saved = JSON.parse(localStorage.getItem("sinew.scope.janus") ?? "{}") as { names: string[] };
    localStorage.setItem("sinew.scope.janus", JSON.stringify({ ...saved, names: [...saved.names, "pid9.🤖 gone"] }));
  });
  await page.reload();
  await expect.poll(() => row("pid9.🤖 gone").textContent()).toContain("not in this system");
  await expect.poll(() => row("joint1.position").locator("td.now").textContent()).toMatch(/^−?\d/);
});

test("CSV and PNG are saved", async () => {
  await scope("joint1.position");
  await expect.poll(() => inked("--s1")).toBeGreaterThan(200);
  await page.keyboard.press(" ");
  const table = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const lines = (await content(await table)).toString().trim().split("\r\n");
  expect(lines[0]).toBe("time [s],joint1.position [rad]");
  expect(lines.length).toBeGreaterThan(3);
  const times = lines.slice(1).map((line) => (/^(\d+\.?\d*),-?\d/.exec(line) ?? expect.fail(line))[1]);
  expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
  const picture = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  expect((await content(await picture)).subarray(1, 4).toString()).toBe("PNG");
});

test("signals are recorded while another page is shown", async () => {
  await scope("joint1.position");
  await expect.poll(() => inked("--s1")).toBeGreaterThan(200); // samples come
  await page.keyboard.press("2");
  await page.waitForSelector("header nav a[href='#/net'][aria-current]");
  await page.waitForTimeout(2000); // away
  await page.keyboard.press("4");
  await page.waitForSelector(".picture canvas");
  await page.keyboard.press(" ");
  const table = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const times = (await content(await table)).toString().trim().split("\r\n").slice(1).map((line) => Number(line.split(",")[0]));
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2);
  const [first = NaN, last = NaN] = [times[0], times.at(-1)];
  for (const third of [0, 1, 2]) expect(times.filter((t) => Math.floor((3 * (t - first)) / (last - first)) === third).length).toBeGreaterThan(0); // the second one on the other page
  await page.keyboard.press("Home");
  await add("pid1.out");
  await expect.poll(() => row("pid1.out").locator("td.now").textContent()).toMatch(/^−?\d/);
});

test("a recorded log is opened, shown in full, and closed", async () => {
  await scope("joint1.position");
  await page.keyboard.press("o");
  await page.getByRole("button", { name: /^janus\.mcap/ }).click();
  await expect.poll(() => state().textContent()).toBe("Log");
  await expect.poll(() => row("joint1.position").locator("td.num").nth(1).textContent()).toMatch(/^−?\d/);
  await expect.poll(() => page.getByLabel("Time span").locator("option:checked").textContent()).toBe("60 s");
  await add("pid1.out"); // from the log
  await expect.poll(() => row("pid1.out").locator("td.num").nth(1).textContent()).toMatch(/^−?\d/);
  await page.getByRole("button", { name: "× janus.mcap" }).click();
  await expect.poll(() => state().textContent()).toBe("Running");
  await expect.poll(() => row("pid1.out").locator("td.now").textContent()).toMatch(/^−?\d/);
});

test("after a lost connection the traces continue", async () => {
  await scope("joint1.position");
  await expect.poll(() => row("joint1.position").locator("td.now").textContent()).toMatch(/^−?\d/);
  const connection = (what: "lose" | "regain") => page.evaluate((w) => (window as unknown as { sinewMock: Record<string, () => void> }).sinewMock[w]?.(), what);
  await connection("lose");
  await expect.poll(() => page.getByRole("status").first().innerText()).toContain("Connection lost");
  await connection("regain");
  await expect.poll(() => page.getByText("Connection lost").count()).toBe(0);
  const first = await row("joint1.position").locator("td.now").textContent();
  await expect.poll(() => row("joint1.position").locator("td.now").textContent()).not.toBe(first);
  expect(await row("joint1.position").locator(".gaps").textContent()).toBe("");
});
