// Panels in a browser, against the simulated console.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { launch, open, plug, serve } from "./browser";

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
let errors: string[];

interface Mock {
  sinewMock: { server: { panels: Map<string, unknown>; system(name: string): { params: Map<string, unknown>; fed: Map<string, unknown> } } };
}

beforeAll(async () => {
  server = await serve("dist-mock");
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

/** The page with one panel "main" of these widgets. */
async function panel(widgets: unknown[]): Promise<void> {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/tree?system=janus`));
  await page.waitForFunction(() => "sinewMock" in window);
  await page.evaluate((w) => (window as unknown as Mock).sinewMock.server.panels.set("janus/main", { title: "Main", widgets: w }), widgets);
  await page.evaluate(() => (location.hash = "#/panels?system=janus"));
  await page.waitForSelector(".grid-stack");
}

const saved = () => page.evaluate(() => (window as unknown as Mock).sinewMock.server.panels.get("janus/main")) as Promise<{ widgets: Record<string, unknown>[] }>;
const param = (ref: string) => page.evaluate((r) => (window as unknown as Mock).sinewMock.server.system("janus").params.get(r), ref);
const fed = (ref: string) => page.evaluate((r) => (window as unknown as Mock).sinewMock.server.system("janus").fed.get(r), ref);

test("a panel is made, widgets are added and bound, saved and shown again", async () => {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/panels?system=janus`));
  await page.getByRole("button", { name: "Make the first one" }).click();
  await page.locator(".shelf").getByRole("button", { name: "Slider" }).click();
  await page.locator("input.binding").fill("pid1.kp");
  await page.locator("input.binding").press("Enter");
  await page.locator(".shelf").getByRole("button", { name: "Gauge" }).click();
  await page.locator("input.binding").fill("joint1.position");
  await page.locator("input.binding").press("Enter");
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(saved).toMatchObject({ widgets: [{ type: "slider", at: [0, 0, 6, 2], bind: { param: "pid1.kp" } }, { type: "gauge", at: [6, 0, 5, 5], bind: { port: "joint1.position" } }] });
  await page.keyboard.press("6");
  await page.keyboard.press("5");
  await expect.poll(() => page.locator(".grid-stack-item").count()).toBe(2);
  await expect.poll(() => page.locator('[role="meter"] .number').textContent()).toMatch(/^−?\d/);
});

test("widgets set parameters, feed inputs and run operations", async () => {
  await panel([
    { type: "slider", at: [0, 0, 6, 2], bind: { param: "pid1.kp" }, min: 0, max: 200 },
    { type: "switch", at: [6, 0, 4, 2], bind: { param: "joint1.brake" } },
    { type: "radio", at: [10, 0, 6, 2], bind: { param: "joint1.actuator_sign" }, choices: [{ value: 1, text: "forward" }, { value: -1, text: "mirrored" }] },
    { type: "joystick", title: "Hand", at: [0, 2, 6, 6], bind: { x: { port: "joint1.voltage" }, y: { port: "joint2.voltage" } }, x_range: 5 },
  ]);
  await expect.poll(() => page.getByRole("slider").inputValue()).toBe("80");
  await page.getByRole("slider").fill("120");
  await expect.poll(() => param("pid1.kp")).toBe(120);
  await page.getByRole("switch").click();
  await expect.poll(() => param("joint1.brake")).toBe(true);
  await page.getByRole("radio", { name: "mirrored" }).click();
  await expect.poll(() => param("joint1.actuator_sign")).toBe(-1);
  const stick = page.getByRole("application", { name: /Hand/ });
  await stick.focus();
  await page.keyboard.down("ArrowRight");
  await expect.poll(() => fed("joint1.voltage")).toBe(5);
  await page.keyboard.up("ArrowRight");
  await expect.poll(() => fed("joint1.voltage")).toBe(0);
  await page.getByRole("button", { name: "held ×" }).click();
  await expect.poll(() => fed("joint1.voltage")).toBeUndefined();
});

test("a gamepad moves a joystick; unplugged it is in the middle", async () => {
  await panel([{ type: "joystick", at: [0, 0, 6, 6], bind: { x: { port: "joint1.voltage" }, y: { port: "joint2.voltage" } }, x_range: 5, gamepad: true }]);
  await plug(page, [0, 0]);
  await expect.poll(() => page.locator(".values").textContent()).toContain("gamepad");
  expect(await fed("joint1.voltage")).toBeUndefined(); // a stick at rest sets nothing
  await plug(page, [1, 0]);
  await expect.poll(() => fed("joint1.voltage")).toBe(5);
  await plug(page, [0, -0.54]);
  await expect.poll(() => fed("joint2.voltage")).toBeCloseTo(0.5, 6);
  expect(await fed("joint1.voltage")).toBe(0);
  await plug(page, [0.05, 0.05]); // it trembles
  await expect.poll(() => fed("joint2.voltage")).toBe(0);
  await plug(page, [-1, 0]);
  await expect.poll(() => fed("joint1.voltage")).toBe(-5);
  await plug(page, null);
  await expect.poll(() => fed("joint1.voltage")).toBe(0);
  await plug(page, [0, 1]);
  await expect.poll(() => fed("joint2.voltage")).toBe(-1);
  await page.keyboard.press("2"); // another page: the inputs are free
  await expect.poll(() => fed("joint2.voltage")).toBeUndefined();
});

test("who may only look sees what he may not do, and why", async () => {
  ({ page, errors } = await open(browser, `${server.url}/?mock&role=view#/tree/pid1?system=janus`));
  for (const name of ["Hold pid1.ref", "Disable", "Save…"]) {
    const button = page.getByRole("button", { name, exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await button.getAttribute("title")).toBe("Needs the role tune; yours is view");
  }
  expect(await page.getByLabel("kp", { exact: true }).getAttribute("title")).toContain("Needs the role tune");
  await page.keyboard.press("6");
  for (const name of ["Restart", "Stop…"]) expect(await page.getByRole("button", { name }).getAttribute("title")).toBe("Needs the role drive; yours is view");
});

test("what is bound to nothing that exists, and types that nobody knows, say so quietly", async () => {
  await panel([
    { type: "slider", title: "Gone", at: [0, 0, 6, 2], bind: { param: "pid9.kp" } },
    { type: "hologram", at: [6, 0, 6, 2] },
    { type: "plot", at: [0, 2, 12, 6], signals: ["joint1.position", "pid9.out"] },
    7,
  ]);
  await expect.poll(() => page.locator(".grid-stack").textContent()).toContain("pid9.kp does not exist");
  const text = await page.locator(".panels").textContent();
  expect(text).toContain("there is no widget “hologram”");
  expect(text).toContain("pid9.out does not exist");
  expect(text).toContain("widget 4");
});

test("widgets are moved by mouse and keys; undo takes it back", async () => {
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

test("a user's own widget is one small module", async () => {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/tree?system=janus`));
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
  await expect.poll(() => page.locator(".own").textContent()).toContain("is a number rad");
});
