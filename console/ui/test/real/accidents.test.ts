// A slip of the mouse or a word that was not finished changes no running value.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let run: Run;

const gain = (): Promise<string> => site.sinew("param", "get", "pid1.kp");

beforeAll(async () => {
  const file = site.janus();
  site.write(
    "examples/janus/panels/main.yaml",
    `title: main
widgets:
  - {type: slider, title: gain, at: [0, 0, 8, 2], bind: {param: pid1.kp}}
  - {type: gauge, title: dial, at: [0, 2, 6, 6], bind: {param: pid1.kp}}
  - {type: number, title: figure, at: [8, 0, 6, 2], bind: {param: pid1.kp}, edit: true}
`,
  );
  [run, browser] = await Promise.all([site.run(file), launch()]);
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

test("a slider and a gauge without bounds lie around the running value", async () => {
  await operator.go("panels", "main");
  const slider = operator.page.locator("main").getByRole("slider");
  await operator.sees(() => slider.inputValue()).toBe("80");
  const [min, max] = [Number(await slider.getAttribute("min")), Number(await slider.getAttribute("max"))];
  expect(min).toBeLessThanOrEqual(80);
  expect(max).toBeGreaterThanOrEqual(160);
  expect(max).toBeLessThanOrEqual(400);
  expect(await operator.page.getByRole("meter").getAttribute("aria-valuemax")).toBe(String(max));
  const box = await slider.boundingBox();
  if (!box) throw new Error("no slider");
  await operator.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await operator.sees(async () => Math.round(Number(await gain()))).toBe(Math.round(max / 2));
  await site.sinew("param", "set", "pid1.kp=80");
});

test("fields of widgets send on Enter only", async () => {
  for (const label of ["gain, value", "figure"]) {
    const field = operator.page.getByLabel(label, { exact: true });
    await operator.sees(() => field.inputValue()).toMatch(/^80/);
    await field.fill("8");
    await operator.page.getByRole("meter").click(); // leaves the field
    await operator.sees(() => field.inputValue()).toMatch(/^80/);
    await pause(300);
    expect(await gain()).toBe("80");
    await field.fill("81");
    await field.press("Enter");
    await operator.sees(gain).toBe("81");
    await site.sinew("param", "set", "pid1.kp=80");
  }
});

test("an empty field sends nothing", async () => {
  const field = operator.page.getByLabel("figure", { exact: true });
  await field.fill("");
  await field.press("Enter");
  await pause(300);
  expect(await gain()).toBe("80");
});

test("a half-typed parameter is marked, and set by Enter only", async () => {
  const field = (await operator.block("pid1")).getByLabel("kp", { exact: true });
  await field.fill("8");
  await operator.page.getByRole("heading", { name: "pid1", exact: true }).click();
  await operator.sees(() => operator.page.locator(".row.waiting .doc").textContent()).toBe("Not set, still 80: Enter sets it, Escape restores it");
  await pause(300);
  expect(await gain()).toBe("80");
  await field.press("Escape");
  await operator.sees(() => field.inputValue()).toBe("80");
});

test("a number that does not fit is rounded, not cut", async () => {
  await operator.tune("pid1", "kp", "12345678.90123");
  await operator.sees(() => operator.param("pid1", "kp")).toBe("12345678.90123"); // while the field has the focus
  await operator.page.getByRole("heading", { name: "pid1", exact: true }).click();
  await operator.sees(() => operator.param("pid1", "kp")).toBe("1.2346e7");
  const cut = await operator.page.locator('[id="pid1.kp"]').evaluate((e: HTMLInputElement) => e.scrollWidth > e.clientWidth);
  expect(cut).toBe(false);
  await site.sinew("param", "set", "pid1.kp=80");
});
