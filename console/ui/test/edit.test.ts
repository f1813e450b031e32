// The net editor in Chromium, with the simulated console.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
let page: Page;

async function edit(): Promise<void> {
  page = await mock.open("/net?edit=1");
  await page.getByText("No problems found").waitFor();
}

const fileText = async (): Promise<string> => {
  await page.getByRole("button", { name: "File", exact: true }).click();
  const text = await page.getByLabel("System file", { exact: true }).inputValue();
  await page.getByRole("button", { name: "File", exact: true }).click();
  return text;
};

interface Places {
  ports: Record<string, [number, number]>;
  boxes: Record<string, [number, number, number, number]>;
}

/** Returns the drawing once it has been stable for six frames. */
const picture = (): Promise<{ places: Places; view: { scale: number; x: number; y: number }; left: number; top: number }> =>
  page.evaluate(async () => {
    const look = (): string => {
      const canvas = document.querySelector("canvas");
      const { places = '{"ports":{},"boxes":{}}', view = "{}" } = canvas?.dataset ?? {};
      const { left, top, width, height } = canvas?.getBoundingClientRect() ?? new DOMRect();
      return JSON.stringify({ places: JSON.parse(places), view: JSON.parse(view), left, top, width, height });
    };
    let seen = look();
    for (let same = 0; same < 6; same++) {
      await new Promise(requestAnimationFrame);
      const now = look();
      if (now !== seen) same = -1;
      seen = now;
    }
    return JSON.parse(seen);
  });

/** Converts a position in the drawing to the screen. */
async function screen(of: (p: Places) => [number, number] | undefined): Promise<[number, number]> {
  const { places, view, left, top } = await picture();
  const at = of(places);
  if (!at) throw new Error("not in the drawing");
  return [left + at[0] * view.scale + view.x, top + at[1] * view.scale + view.y];
}

/** Returns the middle of a box; for an open group a point in its header. */
const middle = (name: string) => (p: Places): [number, number] | undefined => {
  const r = p.boxes[name];
  return r && [r[0] + r[2] / 2, r[1] + Math.min(14, r[3] / 2)];
};

async function drag(from: string, to: string): Promise<void> {
  const [a, b] = [await screen((p) => p.ports[from]), await screen((p) => p.ports[to])];
  await page.mouse.move(...a);
  await page.mouse.down();
  await page.mouse.move(...b, { steps: 5 });
  await page.mouse.up();
}

/** Clicks blocks, all except the first with Shift. */
async function choose(...names: string[]): Promise<void> {
  for (const [i, name] of names.entries()) {
    if (i > 0) await page.keyboard.down("Shift");
    await page.mouse.click(...(await screen(middle(name))));
    await page.keyboard.up("Shift");
  }
}

async function group(name: string): Promise<void> {
  await page.keyboard.press("g");
  await page.getByLabel("Name of the group").fill(name);
  await page.keyboard.press("Enter");
}

const drawn = async (): Promise<string[]> => Object.keys((await picture()).places.boxes);

test("adding, tuning and linking a block leaves the rest of the file unchanged", async () => {
  await edit();
  const before = await fileText();
  await page.getByPlaceholder("Add a block").fill("servo pid");
  await page.getByPlaceholder("Add a block").press("Enter");
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
  await expect.poll(() => page.getByText("Restart the system to run the edited net").count()).toBe(1);
  await page.getByRole("button", { name: "Restart…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restart" }).click();
  await expect.poll(() => page.getByText("is restarting").count()).toBe(1);
});

test("dragging to a linked input is rejected", async () => {
  await edit();
  const before = await fileText();
  await drag("joint1.index", "pid1.sen");
  expect(await fileText()).toBe(before);
  await expect.poll(() => page.getByText("is already linked").count()).toBe(1);
});

test("an error is shown and removed by undo", async () => {
  await edit();
  await page.getByRole("button", { name: "File", exact: true }).click();
  const area = page.getByLabel("System file", { exact: true });
  const text = await area.inputValue();
  await area.fill(text.replace("type: servo.PID", "type: servo.PIDD"));
  await expect.poll(() => page.locator(".errors").innerText()).toContain("servo.PIDD");
  expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => page.locator(".errors").innerText()).toContain("No problems found");
  expect(await area.inputValue()).toBe(text);
});

test("grouping, editing in place and ungrouping are single undo steps", async () => {
  await edit();
  const before = await fileText();
  await choose("controller", "pid1", "pid2");
  await group("control");
  const grouped = await fileText();
  expect(grouped).toContain("  control:\n    blocks:\n      controller: {type: servo.ControllerNPID");
  expect(grouped).toContain("  - control.error1 -> scope.error1\n");
  await expect.poll(drawn).toContain("control.pid1");
  await expect.poll(() => page.locator(".errors").innerText()).toContain("record: pid*.out → control.pid*.out");

  await page.getByPlaceholder("Add a block").fill("flow limit");
  await page.getByPlaceholder("Add a block").press("Enter");
  await expect.poll(drawn).toContain("control.limit1");
  await page.keyboard.press("Escape");
  await drag("joint1.index", "control.limit1.in");
  const linked = await fileText();
  expect(linked).toContain("      in: limit1.in\n");
  expect(linked).toContain("  - joint1.index -> control.in\n");

  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  expect(await fileText()).toBe(grouped);
  await choose("control");
  await page.keyboard.press("o");
  await expect.poll(drawn).not.toContain("control.pid1");
  await page.keyboard.press("Shift+G");
  await expect.poll(drawn).toContain("pid1");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  expect(await fileText()).toBe(before);
});

test("a rectangle selects; the selection is duplicated and removed", async () => {
  await edit();
  const before = await fileText();
  const [x, y] = await screen((p) => (p.boxes["pid1"] ? [p.boxes["pid1"][0], p.boxes["pid1"][1]] : undefined));
  const [x2, y2] = await screen((p) => (p.boxes["pid2"] ? [p.boxes["pid2"][0] + p.boxes["pid2"][2], p.boxes["pid2"][1] + p.boxes["pid2"][3]] : undefined));
  await page.keyboard.down("Shift");
  await page.mouse.move(Math.min(x, x2) - 8, Math.min(y, y2) - 4);
  await page.mouse.down();
  await page.mouse.move(Math.max(x, x2) + 8, Math.max(y, y2) + 8, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect.poll(() => page.getByText("2 selected").count()).toBe(1);
  await page.keyboard.press("Control+d");
  await expect.poll(drawn).toEqual(expect.arrayContaining(["pid3", "pid4"]));
  await page.keyboard.press("Delete");
  expect(await fileText()).toBe(before);
  await page.keyboard.press("Control+a");
  await expect.poll(() => page.getByText("14 selected").count()).toBe(1);
  await page.keyboard.press("Delete");
  expect(await fileText()).not.toContain("pid1");
  await page.keyboard.press("Control+z");
  expect(await fileText()).toBe(before);
});

test("a block is dragged into and out of a group, cut and pasted", async () => {
  await edit();
  await choose("pid1", "pid2");
  await group("control");
  const before = await fileText();
  const carry = async (name: string, to: [number, number]): Promise<void> => {
    await choose(name);
    await page.mouse.move(...(await screen(middle(name))));
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  };
  await page.keyboard.press("Escape");
  await carry("controller", await screen(middle("control")));
  await expect.poll(drawn).toContain("control.controller");
  const inside = await fileText();
  expect(inside).toContain("      - controller.ref1 -> pid1.ref\n");
  expect(inside).toContain("  - control.error1 -> scope.error1\n");
  const [x, y] = await screen(middle("control"));
  await page.keyboard.press("Escape");
  await carry("control.controller", [x, y - 60]);
  await expect.poll(drawn).toContain("controller");
  expect((await fileText()).split("\n").sort()).toEqual(before.split("\n").sort());

  await page.keyboard.press("f"); // the drawing has grown beyond the view, which stays where it is
  await choose("scope");
  await page.keyboard.press("Control+x");
  await expect.poll(drawn).not.toContain("scope");
  await choose("control.pid1");
  await page.keyboard.press("Control+v");
  await expect.poll(drawn).toContain("control.scope");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(drawn).toContain("scope");
});

test("a double click opens a group's file", async () => {
  page = await mock.open("/net?edit=1&system=walker");
  await page.getByText("No problems found").waitFor();
  await page.mouse.dblclick(...(await screen(middle("legs"))));
  await expect.poll(() => page.getByLabel("System file to edit").inputValue()).toMatch(/legs\.yaml$/);
  expect(await fileText()).toContain("left_front:   {include: leg.yaml");
  await choose("coordinator", "left_front");
  await group("front");
  await expect.poll(() => page.locator(".state").innerText()).toBe("Unsaved changes");
  await page.getByLabel("System file to edit").selectOption({ label: "walker.yaml" });
  expect(await fileText()).toContain("system: walker");
  await page.getByLabel("System file to edit").selectOption({ index: 1 });
  expect(await fileText()).toContain("  front:\n");
});

test("the walker's net opens in the editor with labels of ports of at least 11 px; f shows all of it, and leaving its file opens the next one readable", async () => {
  page = await mock.open("/net?edit=1&system=walker", { width: 1280, height: 720 });
  await page.getByText("No problems found").waitFor();
  const view = (): Promise<{ scale: number; label: number }> => page.locator("canvas[data-view]").evaluate((c: HTMLCanvasElement) => JSON.parse(c.dataset["view"] ?? "{}") as { scale: number; label: number });
  await expect.poll(async () => (await view()).label).toBeGreaterThanOrEqual(11);
  const opened = await view();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.poll(async () => (await view()).scale).toBeLessThan(opened.scale);
  await page.setViewportSize({ width: 1290, height: 730 });
  await expect.poll(async () => (await view()).scale).toBeLessThan(opened.scale);
  await page.getByLabel("System file to edit").selectOption({ index: 1 });
  await expect.poll(async () => (await view()).label).toBeGreaterThanOrEqual(11);
});

test("an error is shown at its block, and a click selects it", async () => {
  await edit();
  await choose("controller", "pid1", "pid2");
  await group("control");
  await page.getByRole("button", { name: "File", exact: true }).click();
  const area = page.getByLabel("System file", { exact: true });
  await area.fill((await area.inputValue()).replace("pid2:       {type: servo.PID,", "pid2:       {type: servo.PIDD,"));
  const error = page.locator(".errors button", { hasText: "servo.PIDD" });
  await error.click();
  expect(await area.evaluate((a: HTMLTextAreaElement) => a.value.slice(a.selectionStart, a.selectionEnd))).toBe("servo.PIDD");
  await page.getByRole("button", { name: "File", exact: true }).click();
  await error.click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("pid2");
  await expect.poll(() => page.locator("aside .fault").innerText()).toContain("servo.PIDD");
});

test("unsaved changes survive a reload", async () => {
  await edit();
  await page.getByPlaceholder("Add a block").fill("flow sum");
  await page.getByPlaceholder("Add a block").press("Enter");
  await page.waitForFunction(() => Object.values(sessionStorage).some((kept) => String(kept).includes("flow.Sum")));
  page.on("dialog", (d) => void d.accept());
  await page.reload();
  await page.getByText("unsaved changes are restored").waitFor();
  expect(await fileText()).toContain("sum1: {type: flow.Sum");
});
