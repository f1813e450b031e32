// Boxes of the net placed by hand in Chromium, with the simulated console: by mouse, finger and keys, undone, and followed by the editor.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";
import { Fingers } from "./fingers";
import { boxOf, dragBox } from "./net";

const mock = mockConsole();
let page: Page;

async function show(address: string, width = 1440, height = 900): Promise<void> {
  page = await mock.open(`/${address}`, { width, height, touch: width < 1000 });
  await page.locator("canvas[data-places]").waitFor();
}

const arrange = () => page.getByRole("button", { name: "Arrange automatically" });
/** Returns the difference of two positions, in px of the drawing. */
const from = (a: number[], b: number[]): number[] => [Math.round((b[0] ?? 0) - (a[0] ?? 0)), Math.round((b[1] ?? 0) - (a[1] ?? 0))];

test("a dragged box stays, the view too, and Ctrl-Z undoes it", async () => {
  await show("net?system=janus");
  const [pid, far] = [await boxOf(page, "pid1"), await boxOf(page, "joint1")];
  await dragBox(page, "pid1", 60, 150);
  await arrange().waitFor();
  const now = await boxOf(page, "pid1");
  expect(Math.abs(now.left - pid.left - 60)).toBeLessThan(8);
  expect(Math.abs(now.top - pid.top - 150)).toBeLessThan(8);
  expect((await boxOf(page, "joint1")).left).toBeCloseTo(far.left, 0);
  await page.keyboard.press("Control+z");
  await arrange().waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await arrange().waitFor();
  expect(from(now.rect, (await boxOf(page, "pid1")).rect)).toEqual([0, 0]);
  await arrange().click();
  await arrange().waitFor({ state: "detached" });
  expect((await boxOf(page, "pid1")).rect).toEqual(pid.rect);
  await page.keyboard.press("Control+z");
  await arrange().waitFor();
});

test("arrow keys move the selected box", async () => {
  await show("net/pid1?system=janus");
  await page.keyboard.press("ArrowDown");
  await arrange().waitFor();
  const before = await boxOf(page, "pid1");
  for (const key of ["ArrowDown", "ArrowDown", "Shift+ArrowRight"]) await page.keyboard.press(key);
  const after = await boxOf(page, "pid1");
  const [x = 0, y = 0] = from(before.rect, after.rect);
  expect(x).toBe(1);
  expect(y).toBeGreaterThanOrEqual(20); // in rows of the least height
});

test("a finger places the selected box at 820 px", async () => {
  await show("net/pid2?system=janus", 820, 1180);
  const fingers = await Fingers.on(page);
  const before = await boxOf(page, "pid2");
  const [x, y] = [before.left + before.width / 2, before.top + 8];
  await fingers.drag([[x, y]], [[x, y + 80]]);
  await arrange().waitFor();
  expect(Math.abs((await boxOf(page, "pid2")).top - before.top - 80)).toBeLessThan(8);
});

test("in the editor a placed box follows its group, and saving keeps its place for the running net", async () => {
  await show("net?edit=1&system=janus");
  await page.getByText("No problems found").waitFor();
  await dragBox(page, "pid1", 20, 160);
  await expect.poll(() => page.locator(".state").innerText()).toBe("Unsaved changes");
  await page.keyboard.press("g");
  await page.getByLabel("Name of the group").fill("control");
  await page.keyboard.press("Enter");
  await expect.poll(() => boxOf(page, "control.pid1").then((b) => b.width)).toBeGreaterThan(0);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await arrange().waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".state").innerText()).toBe("Saved");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+y");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => page.locator(".state").innerText()).toBe("Saved");
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await arrange().waitFor();
  await boxOf(page, "pid1"); // the running net still has its old name
  await page.getByText("layout/janus.yaml places what the running net does not have: control").waitFor();
});

test("in the editor a renamed block keeps its place, and a removed one leaves none", async () => {
  await show("net?edit=1&system=janus");
  await page.getByText("No problems found").waitFor();
  const before = await boxOf(page, "pid1");
  await dragBox(page, "pid1", 20, 160);
  const placed = await boxOf(page, "pid1");
  expect(placed.width).toBeCloseTo(before.width, 0); // the view has not changed
  expect(Math.abs(placed.left - before.left - 20)).toBeLessThan(2);
  await page.getByLabel("Name", { exact: true }).fill("lift");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  expect((await boxOf(page, "lift")).rect.slice(0, 2)).toEqual(placed.rect.slice(0, 2));
  await page.keyboard.press("Escape");
  await page.mouse.click(placed.left + placed.width / 2, placed.top + 8);
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => page.locator(".state").innerText()).toBe("Saved");
  await arrange().waitFor({ state: "detached" });
  expect(await page.locator(".errors").innerText()).not.toContain("places what");
});
