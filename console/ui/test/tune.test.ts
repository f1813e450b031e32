// The page Tune in Chromium, with the simulated console. Needs `npm run build:mock`.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function tune(): Promise<void> {
  page = await mock.open("/tune", { width: 1280, height: 800 });
  await page.getByRole("heading", { name: "Changes" }).waitFor();
}

/** Sets a parameter by the palette. */
async function order(text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("dialog").getByRole("combobox").fill(text);
  await page.keyboard.press("Enter");
}

test("a change makes a card that names its signal and compares before and after", async () => {
  await tune();
  await page.waitForTimeout(7_000); // a whole move before the change
  await order("pid1.kp 8");
  const card = page.getByRole("article", { name: "pid1.kp" });
  await card.waitFor();
  expect(await card.getByLabel("Signal").inputValue()).not.toBe("");
  expect(await card.textContent()).toContain("suggested by tags");
  await card.getByLabel("Signal").fill("controller.sen1");
  await card.getByLabel("Signal").press("Enter");
  await card.getByLabel("Reference").fill("controller.ref1");
  await card.getByLabel("Reference").press("Enter");
  await expect.poll(() => card.locator("tbody tr").first().textContent()).toMatch(/rms of the error\s*0\.\d+/);
  await expect.poll(() => card.locator("svg path").count()).toBe(3);
  expect(await card.getByText(/80 → 8/).count()).toBe(1);

  await page.keyboard.press("Alt+a");
  await expect.poll(() => page.getByRole("article").first().textContent()).toContain("8 → 80");
  await expect.poll(() => page.locator("[role=status], .notice").allTextContents().then((t) => t.join())).toContain("Alt A swaps again");
});

test("noise is shown before it starts, recorded, and drawn as a Bode plot", async () => {
  await tune();
  const form = page.getByRole("region", { name: "Excite" });
  expect(await form.getByRole("button", { name: "Excite" }).isDisabled()).toBe(true);
  await form.getByLabel("Port").fill("pid1.ref");
  await form.getByLabel("Response").fill("pid1.ref");
  await form.getByLabel("Shape").selectOption("noise");
  await form.getByLabel("Amplitude").fill("0.1");
  await form.getByLabel("Duration, s").fill("4");
  await form.getByLabel("To, Hz").fill("80");
  expect(await form.textContent()).toContain("At most 50 Hz");
  await form.getByLabel("To, Hz").fill("50");
  await expect.poll(() => form.textContent()).toContain("in place of its link");
  await form.getByRole("button", { name: "Excite" }).click();
  await expect.poll(() => form.getByRole("status").textContent()).toContain("pid1.ref");
  await expect.poll(() => form.getByLabel("Gain at the lowest frequency").textContent()).toMatch(/^-?0(\.0+)? dB$/);
  expect(await form.locator("svg").count()).toBe(4);
});

test("Stop ends an excitation without a result", async () => {
  await tune();
  const form = page.getByRole("region", { name: "Excite" });
  await form.getByLabel("Port").fill("pid1.ref");
  await form.getByLabel("Response").fill("controller.sen1");
  await form.getByLabel("Amplitude").fill("0.1");
  await form.getByRole("button", { name: "Excite" }).click();
  await form.getByRole("status").waitFor();
  await form.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => form.getByRole("button", { name: "Excite" }).isEnabled()).toBe(true);
  expect(await form.locator("svg").count()).toBe(0);
});
