// The palette in Chromium, with the simulated console. Needs `npm run build:mock`.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function palette(role = "own"): Promise<void> {
  page = await mock.open("/tree/pid1", { role });
  await page.locator('[id="pid1.kp"]').waitFor();
  await page.locator("body").press("/");
  await page.locator(".palette input").waitFor();
}

const status = (): Promise<string> => page.locator("#palette-status").innerText();
const input = (): Promise<string> => page.getByRole("combobox", { name: "" }).last().inputValue();

test("Tab completes names, and the present value is shown", async () => {
  await palette();
  await page.keyboard.type("pid2.kd");
  await page.keyboard.press("Tab");
  expect(await input()).toBe("pid2.kd ");
  await expect.poll(status).toContain("now 60");
  await page.keyboard.press("Tab");
  expect(await input()).toBe("pid2.kd 60");
});

test("a rejected value is explained in place, and the palette stays open", async () => {
  await palette();
  await page.keyboard.type("pid1.kp -3");
  await expect.poll(status).toContain("must be at least 0");
  await page.keyboard.press("Enter");
  expect(await status()).toContain("must be at least 0");
  expect(await page.getByRole("dialog", { name: "Search" }).count()).toBe(1);
});

test("a role that may not give an order sees the reason", async () => {
  await palette("view");
  await page.keyboard.type("pid1.kp 90");
  await expect.poll(status).toContain("Needs the tune role");
  await page.keyboard.press("Enter");
  expect(await status()).toContain("Needs the tune role");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("stop");
  await expect.poll(status).toContain("Needs the drive role");
});

test("the system is stopped", async () => {
  await palette();
  await page.keyboard.type("stop");
  await expect.poll(status).toContain("Stop janus");
  await page.keyboard.press("Enter");
  await expect.poll(status).toBe("janus is stopping");
});

test("? lists the keys, on every page and in the palette", async () => {
  await palette();
  await page.keyboard.type("?");
  await page.keyboard.press("Enter");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.waitFor();
  expect(await keys.innerText()).toContain("hold the picture, or run");
  await page.keyboard.press("Escape");
  await expect.poll(() => keys.count()).toBe(0);
  await page.locator("body").press("?");
  await keys.waitFor();
});
