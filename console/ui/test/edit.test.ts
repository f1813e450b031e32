// The editor of the net in Chromium, against the simulated console.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launch, open, serve } from "./browser";

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
let errors: string[];

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

async function edit(): Promise<void> {
  ({ page, errors } = await open(browser, `${server.url}/?mock#/net?edit=1`));
  await page.getByText("The file is right.").waitFor();
}

const fileText = async (): Promise<string> => {
  await page.getByRole("button", { name: "File", exact: true }).click();
  const text = await page.getByLabel("System file").inputValue();
  await page.getByRole("button", { name: "File", exact: true }).click();
  return text;
};

test("a block is added, tuned, linked, and saved; the rest of the file stays as it is", async () => {
  await edit();
  const before = await fileText();
  await page.getByPlaceholder("Add a block: filter types").fill("servo pid");
  await page.getByPlaceholder("Add a block: filter types").press("Enter");
  await page.getByLabel("kp").fill("12");
  await page.getByLabel("kp").press("Tab");
  await page.getByLabel("From").fill("controller.error1");
  await page.getByLabel("To", { exact: true }).fill("pid3.ref");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const after = await fileText();
  const lines = (s: string): string[] => s.split("\n");
  expect(lines(after).filter((l) => !lines(before).includes(l))).toEqual(["  pid3: {type: servo.PID, thread: servo, params: {kp: 12}}", "  - controller.error1 -> pid3.ref"]);
  expect(lines(before).filter((l) => !lines(after).includes(l))).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => page.getByText("is saved").count()).toBe(1);
  await page.getByRole("button", { name: "Restart" }).click();
  await expect.poll(() => page.getByText("starts anew").count()).toBe(1);
});

test("a link is drawn from port to port", async () => {
  await edit();
  const before = await fileText();
  const at = (await page.evaluate(() => JSON.parse(document.querySelector("canvas")?.dataset["ports"] ?? "{}"))) as Record<string, [number, number]>;
  const box = await page.locator("canvas").boundingBox();
  const [from, to] = [at["joint1.index"], at["pid1.sen"]];
  if (!box || !from || !to) throw new Error("no such ports in sight");
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 5 });
  await page.mouse.up();
  expect(await fileText()).toBe(before); // it is linked already
  await expect.poll(() => page.getByText("is linked already").count()).toBe(1);
});

test("what is wrong is said with its line, and undone", async () => {
  await edit();
  await page.getByRole("button", { name: "File", exact: true }).click();
  const area = page.getByLabel("System file");
  const text = await area.inputValue();
  await area.fill(text.replace("type: servo.PID", "type: servo.PIDD"));
  await expect.poll(() => page.locator(".errors").innerText()).toContain("servo.PIDD");
  expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => page.locator(".errors").innerText()).toContain("The file is right");
  expect(await area.inputValue()).toBe(text);
});

test("a draft goes on after a reload", async () => {
  await edit();
  await page.getByPlaceholder("Add a block: filter types").fill("flow sum");
  await page.getByPlaceholder("Add a block: filter types").press("Enter");
  await page.waitForTimeout(100);
  page.on("dialog", (d) => void d.accept());
  await page.reload();
  await expect.poll(() => page.getByText("go on").count()).toBe(1);
  expect(await fileText()).toContain("sum1: {type: flow.Sum");
});
