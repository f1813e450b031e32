// Panels in Chromium, with the simulated console.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { mockConsole, plug } from "./browser";

const mock = mockConsole();
let page: Page;

interface Mock {
  sinewMock: { server: { panels: Map<string, unknown>; system(name: string): { params: Map<string, unknown>; overrides: Map<string, unknown> } } };
}

/** Opens the page Panels with one panel "main" of the given widgets. */
async function panel(widgets: unknown[]): Promise<void> {
  page = await mock.open("/tree?system=janus");
  await page.waitForFunction(() => "sinewMock" in window);
  await page.evaluate((w) => (window as unknown as Mock).sinewMock.server.panels.set("janus/main", { title: "Main", widgets: w }), widgets);
  await page.evaluate(() => (location.hash = "#/panels?system=janus"));
  await page.waitForSelector(".grid-stack");
}

const saved = () => page.evaluate(() => (window as unknown as Mock).sinewMock.server.panels.get("janus/main")) as Promise<{ widgets: Record<string, unknown>[] }>;
const param = (ref: string) => page.evaluate((r) => (window as unknown as Mock).sinewMock.server.system("janus").params.get(r), ref);
const overridden = (ref: string) => page.evaluate((r) => (window as unknown as Mock).sinewMock.server.system("janus").overrides.get(r), ref);

test("a panel of few rows fills its page without scrolling; one of many rows, and one that is edited, has rows of the usual height", async () => {
  const heights = async (): Promise<{ used: number; row: number }> =>
    page.evaluate(() => {
      const [stage, items] = [document.querySelector(".stage"), [...document.querySelectorAll<HTMLElement>(".grid-stack-item")]];
      const boxes = items.map((e) => e.getBoundingClientRect());
      const top = stage?.getBoundingClientRect().top ?? NaN;
      return { used: (Math.max(...boxes.map((b) => b.bottom)) - top) / (stage?.clientHeight ?? NaN), row: (boxes[0]?.height ?? NaN) / Number(items[0]?.getAttribute("gs-h")) };
    });
  const widget = (y: number, h: number) => ({ type: "gauge", at: [0, y, 12, h], bind: { port: "pid1.out" } });
  await panel([widget(0, 4), widget(4, 7)]);
  await expect.poll(async () => (await heights()).used).toBeGreaterThan(0.95);
  expect((await heights()).used).toBeLessThanOrEqual(1);
  await page.locator("body").press("e");
  await expect.poll(async () => (await heights()).row).toBeCloseTo(36, 0);
  await panel([widget(0, 4), widget(4, 36)]);
  await expect.poll(async () => (await heights()).row).toBeCloseTo(36, 0);
});

test("a new panel with bound widgets is saved and shown again", async () => {
  page = await mock.open("/panels?system=janus");
  await page.getByRole("button", { name: "Create a panel" }).click();
  await page.locator(".widget-bar").getByRole("button", { name: "Slider" }).click();
  await page.locator("input.binding").fill("pid1.kp");
  await page.locator("input.binding").press("Enter");
  await page.locator(".widget-bar").getByRole("button", { name: "Gauge" }).click();
  await page.locator("input.binding").fill("joint1.position");
  await page.locator("input.binding").press("Enter");
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(saved).toMatchObject({ widgets: [{ type: "slider", at: [0, 0, 6, 2], bind: { param: "pid1.kp" } }, { type: "gauge", at: [6, 0, 5, 5], bind: { port: "joint1.position" } }] });
  await page.keyboard.press("7");
  await page.keyboard.press("6");
  await expect.poll(() => page.locator(".grid-stack-item").count()).toBe(2);
  await expect.poll(() => page.locator('[role="meter"] .number').textContent()).toMatch(/^−?\d/);
});

test("widgets set parameters and override inputs", async () => {
  await panel([
    { type: "slider", at: [0, 0, 6, 2], bind: { param: "pid1.kp" }, min: 0, max: 200 },
    { type: "switch", at: [6, 0, 4, 2], bind: { param: "joint1.brake" } },
    { type: "radio", at: [10, 0, 6, 2], bind: { param: "joint1.actuator_sign" }, choices: [{ value: 1, text: "forward" }, { value: -1, text: "mirrored" }] },
    { type: "joystick", title: "Hand", at: [0, 2, 6, 6], bind: { x: { port: "joint1.voltage" }, y: { port: "joint2.voltage" } }, x_range: 5 },
  ]);
  await expect.poll(() => page.locator("main").getByRole("slider").inputValue()).toBe("80");
  await page.locator("main").getByRole("slider").fill("120");
  await expect.poll(() => param("pid1.kp")).toBe(120);
  await page.getByRole("switch").click();
  await expect.poll(() => param("joint1.brake")).toBe(true);
  await page.getByRole("radio", { name: "mirrored" }).click();
  await expect.poll(() => param("joint1.actuator_sign")).toBe(-1);
  const stick = page.getByRole("application", { name: /Hand/ });
  await stick.focus();
  await page.keyboard.down("ArrowRight");
  await expect.poll(() => overridden("joint1.voltage")).toBe(5);
  await page.keyboard.up("ArrowRight");
  await expect.poll(() => overridden("joint1.voltage")).toBe(0);
  await page.getByRole("button", { name: "overridden ×" }).click();
  await expect.poll(() => overridden("joint1.voltage")).toBeUndefined();
});

test("a slider whose drag the connection's loss has ended shows the value of the system afterwards", async () => {
  await panel([{ type: "slider", at: [0, 0, 6, 2], bind: { param: "pid1.kp" }, min: 0, max: 200 }]);
  const slider = page.locator("main").getByRole("slider");
  await expect.poll(() => slider.inputValue()).toBe("80");
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width * 0.4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
  await expect.poll(() => param("pid1.kp")).toBeGreaterThan(100);
  await page.evaluate("sinewMock.lose()");
  await expect.poll(() => slider.isDisabled()).toBe(true);
  await page.mouse.move(x + width * 0.9, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.evaluate(() => (window as unknown as Mock).sinewMock.server.system("janus").params.set("pid1.kp", 30)); // by another operator
  await page.evaluate("sinewMock.regain()");
  await expect.poll(() => slider.isEnabled()).toBe(true);
  await expect.poll(() => slider.inputValue()).toBe("30");
  expect(await param("pid1.kp")).toBe(30);
});

test("a gauge without a number has none for screen readers either", async () => {
  await panel([{ type: "gauge", at: [0, 0, 5, 5], bind: { port: "generator.position" } }]);
  const gauge = page.getByRole("meter");
  await expect.poll(() => gauge.getAttribute("aria-valuetext")).toBe("no value");
  expect(await gauge.getAttribute("aria-valuenow")).toBeNull();
});

test("a gamepad moves a joystick; a disconnected one centres it", async () => {
  await panel([{ type: "joystick", at: [0, 0, 6, 6], bind: { x: { port: "joint1.voltage" }, y: { port: "joint2.voltage" } }, x_range: 5, gamepad: true }]);
  await plug(page, [0, 0]);
  await expect.poll(() => page.locator(".values").textContent()).toContain("gamepad");
  expect(await overridden("joint1.voltage")).toBeUndefined(); // a stick at rest sets nothing
  await plug(page, [1, 0]);
  await expect.poll(() => overridden("joint1.voltage")).toBe(5);
  await plug(page, [0, -0.54]);
  await expect.poll(() => overridden("joint2.voltage")).toBeCloseTo(0.5, 6);
  expect(await overridden("joint1.voltage")).toBe(0);
  await plug(page, [0.05, 0.05]); // noise in the dead zone
  await expect.poll(() => overridden("joint2.voltage")).toBe(0);
  await plug(page, [-1, 0]);
  await expect.poll(() => overridden("joint1.voltage")).toBe(-5);
  await plug(page, null);
  await expect.poll(() => overridden("joint1.voltage")).toBe(0);
  await plug(page, [0, 1]);
  await expect.poll(() => overridden("joint2.voltage")).toBe(-1);
  await page.keyboard.press("2"); // leaving the page releases the inputs
  await expect.poll(() => overridden("joint2.voltage")).toBeUndefined();
});

test("controls without the required role are disabled with a reason", async () => {
  page = await mock.open("/tree/pid1?system=janus", { role: "view" });
  for (const [name, role] of [["Override pid1.ref", "drive"], ["Disable", "drive"], ["Save…", "tune"]] as const) {
    const button = page.getByRole("button", { name, exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await button.getAttribute("title")).toBe(`Needs the ${role} role; yours is view`);
  }
  expect(await page.getByLabel("kp", { exact: true }).getAttribute("title")).toContain("Needs the tune role");
  await page.keyboard.press("7");
  for (const name of ["Restart", "Stop…"]) expect(await page.getByRole("button", { name }).getAttribute("title")).toBe("Needs the drive role; yours is view");
});

test("missing bindings and unknown widget types are reported in place", async () => {
  await panel([
    { type: "slider", title: "Gone", at: [0, 0, 6, 2], bind: { param: "pid9.kp" } },
    { type: "hologram", at: [6, 0, 6, 2] },
    { type: "plot", at: [0, 2, 12, 6], signals: ["joint1.position", "pid9.out"] },
    7,
  ]);
  await expect.poll(() => page.locator(".grid-stack").textContent()).toContain("pid9.kp does not exist");
  const text = await page.locator(".panels").textContent();
  expect(text).toContain("unknown widget type “hologram”");
  expect(text).toContain("pid9.out does not exist");
  expect(text).toContain("widget 4");
});

test("widgets are moved by mouse and keys, and undo restores them", async () => {
  await panel([{ type: "led", title: "Lamp", at: [0, 0, 3, 2], bind: { port: "joint1.position" } }]);
  await page.keyboard.press("e");
  const title = page.locator(".grab", { hasText: "Lamp" });
  const box = await title.boundingBox();
  if (!box) throw new Error("no title");
  await page.mouse.move(box.x + 20, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 120, { steps: 12 });
  await page.mouse.up();
  await page.keyboard.press("Control+s");
  const place = async (): Promise<number[]> => (await saved()).widgets[0]?.["at"] as number[];
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(3);
  const moved = await place();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+s");
  await expect.poll(place).toEqual([moved[0], (moved[1] ?? 0) + 1, 4, 2]);
  for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+s");
  await expect.poll(place).toEqual([0, 0, 3, 2]);
});

test("a custom widget is loaded from its module", async () => {
  page = await mock.open("/tree?system=janus");
  await page.route("**/widget/janus/word.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `export default { mount(element, host) { element.textContent = host.options.word; return { update(value) { element.textContent = host.options.word + " " + typeof value + " " + host.unit; } }; } };`,
    }),
  );
  await page.waitForFunction(() => "sinewMock" in window);
  await page.evaluate(() =>
    (window as unknown as Mock).sinewMock.server.panels.set("janus/main", { widgets: [{ type: "own", at: [0, 0, 6, 4], module: "word", options: { word: "is a" }, bind: { port: "joint1.position" } }] }),
  );
  await page.evaluate(() => (location.hash = "#/panels?system=janus"));
  await expect.poll(() => page.locator(".custom").textContent()).toContain("is a number rad");
});
