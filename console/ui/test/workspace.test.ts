// Pages side by side in Chromium, with the simulated console: opened, resized, closed, and saved as a workspace.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function show(address: string, width = 1440, height = 900, dark = false): Promise<void> {
  page = await mock.open(`/${address}`, { width, height, dark });
  await page.locator("main > .slot").first().waitFor();
}

const panes = () => page.locator("main > .slot");
const box = async (i: number) => (await panes().nth(i).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const address = (): Promise<string> => page.evaluate(() => location.hash);
const shot = async (name: string, settling = 0): Promise<void> => {
  if (!process.env["SHOTS"]) return;
  await page.waitForTimeout(settling);
  await page.screenshot({ path: `${process.env["SHOTS"]}/${name}.png` });
};

test("a page is opened beside another, resized and closed; strip and time bar appear once", async () => {
  await show("robot?system=janus");
  await page.getByRole("button", { name: "One more page" }).click();
  await expect.poll(address).toBe("#/50:robot?system=janus|50:scope");
  await page.getByLabel("Search signals").waitFor();
  expect([await page.locator(".strip").count(), await page.locator(".time").count()]).toEqual([1, 1]);
  const handle = page.getByRole("separator", { name: "Width of robot and scope" });
  const at = await handle.boundingBox();
  await page.mouse.move((at?.x ?? 0) + 3, 300);
  await page.mouse.down();
  await page.mouse.move((at?.x ?? 0) - 285, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(address).toBe("#/30:robot?system=janus|70:scope");
  expect((await box(0)).width / (await box(1)).width).toBeCloseTo(30 / 70, 1);
  await handle.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(address).toBe("#/33:robot?system=janus|67:scope");
  await page.reload();
  await page.getByLabel("Search signals").waitFor();
  expect((await box(0)).width / (await box(1)).width).toBeCloseTo(33 / 67, 1);
  await page.getByRole("button", { name: "Close robot" }).click();
  await expect.poll(address).toBe("#/scope");
  expect(await panes().count()).toBe(1);
});

test("keys go to the page that was used last, and links to the pane that shows their page", async () => {
  await show("50:tree/pid1|50:net?system=janus");
  await page.locator("canvas[data-places]").waitFor();
  await page.locator("canvas[data-places]").click({ position: { x: 5, y: 300 } });
  await page.keyboard.press("e");
  await expect.poll(address).toBe("#/50:tree/pid1|50:net?edit=1");
  await page.getByText("No problems found").waitFor();
  await page.keyboard.press("3");
  await expect.poll(address).toBe("#/tree");
  await page.keyboard.press("e");
  expect(await address()).toBe("#/tree");
});

test("a workspace is saved by name, opened from panels and palette, and replaced only when asked", async () => {
  await show("40:robot|60:scope");
  await page.getByRole("button", { name: "Save workspace…" }).click();
  await page.getByLabel("Name of the workspace").fill("watch");
  await page.keyboard.press("Enter");
  await page.getByText("Workspace watch saved.").waitFor();
  await page.evaluate(() => (location.hash = "#/panels/watch"));
  await page.getByText("A workspace: Robot | Scope").waitFor();
  await shot("workspace-panel");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect.poll(address).toBe("#/40:robot|60:scope");
  await page.keyboard.press("1");
  await page.keyboard.press("/");
  await page.getByPlaceholder("Find a name").fill("watch");
  await page.getByText("Robot | Scope").first().waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(address).toBe("#/40:robot|60:scope");
  await page.getByRole("button", { name: "One more page" }).click();
  await page.getByRole("button", { name: "Save workspace…" }).click();
  await page.getByLabel("Name of the workspace").fill("watch");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Changed on disk" }).getByRole("button", { name: "Overwrite" }).click();
  await page.getByText("Workspace watch saved.").waitFor();
});

test("at most four pages, and none side by side at 820 px: they are one below the other", async () => {
  await show("robot|scope|net|system", 820, 1180, true);
  await page.locator("canvas[data-places]").waitFor();
  expect(await panes().count()).toBe(4);
  expect(await page.getByRole("button", { name: "One more page" }).isDisabled()).toBe(true);
  const [a, b] = [await box(0), await box(1)];
  expect(a.width).toBe(820);
  expect(b.y).toBeGreaterThanOrEqual(a.y + a.height);
  await shot("workspace-820-four");
  await page.getByRole("button", { name: "Close net" }).click();
  await page.getByRole("button", { name: "Close system" }).click();
  await shot("workspace-820", 500);
});

test("pages side by side at 1440 px", async () => {
  await show("45:robot|55:scope?system=janus");
  await page.getByLabel("Search signals").waitFor();
  await shot("workspace-1440", 1500);
  await page.evaluate(() => (location.hash = "#/net|panels|tune"));
  await page.locator("canvas[data-places]").waitFor();
  await shot("workspace-1440-three", 1000);
});
