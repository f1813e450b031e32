// Editing the net: the file stays readable, and the system runs with it after a restart.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let file: string;

const record = `record:
  file: janus.mcap
  ports: [controller.ref*, controller.error*, controller.act, pid*.out, robot.position]
`;

beforeAll(async () => {
  file = site.janus((text) => text + record);
  const [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const state = (): Promise<string | null> => operator.page.locator(".bar .state").textContent();
const verdict = (): Promise<string | null> => operator.page.locator(".errors").textContent();

interface Picture {
  places: { ports: Record<string, [number, number]>; boxes: Record<string, [number, number, number, number]> };
  view: { scale: number; x: number; y: number; label: number };
}

const drawing = (): Promise<Picture> =>
  operator.page.locator(".drawing canvas").evaluate((c: HTMLCanvasElement) => ({ places: JSON.parse(c.dataset["places"] ?? "{}"), view: JSON.parse(c.dataset["view"] ?? "{}") }) as Picture);

/** Moves the pointer to a point of the drawing. */
async function point(x: number, y: number): Promise<void> {
  const { view } = await drawing();
  const box = await operator.page.locator(".drawing canvas").boundingBox();
  await operator.page.mouse.move((box?.x ?? 0) + x * view.scale + view.x, (box?.y ?? 0) + y * view.scale + view.y);
}

test("the editor shows the values of the running system, also of a renamed block", async () => {
  const { page } = operator;
  const value = async (port: string): Promise<string | null> => {
    const [x, y] = (await drawing()).places.ports[port] ?? [0, 0];
    await point(x + 14, y);
    return page.locator(".tip .value code").textContent({ timeout: 1000 }).catch(() => null);
  };
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toContain("No problems found");
  await operator.sees(() => value("joint1.position")).toMatch(/\d/);
  await page.getByRole("button", { name: "joint1", exact: true }).dispatchEvent("click");
  await page.getByLabel("Name", { exact: true }).fill("shoulder");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await operator.sees(() => value("shoulder.position")).toMatch(/\d/);
  await page.getByRole("button", { name: "Undo" }).click();
  await operator.sees(verdict).toContain("No problems found");
});

test("labels of ports have at least 11 px and values room when the editor opens at 1280 × 800, and adding a block does not move the view", async () => {
  const { page } = operator;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await operator.sees(verdict).toContain("No problems found");
  await operator.sees(async () => (await drawing()).view.label).toBeGreaterThanOrEqual(11);
  const before = await drawing();
  const canvas = await page.locator(".drawing canvas").boundingBox();
  const right = Math.max(...Object.values(before.places.boxes).map(([x, , width]) => (x + width) * before.view.scale + before.view.x));
  expect((canvas?.width ?? 0) - right, "px for the values of the last outputs").toBeGreaterThanOrEqual(48);
  await page.getByPlaceholder("Add a block").fill("flow.wave");
  await page.getByPlaceholder("Add a block").press("Enter");
  await operator.sees(async () => Object.keys((await drawing()).places.boxes)).toContain("wave1");
  const after = await drawing();
  expect(after.view.scale).toBe(before.view.scale);
  const onScreen = (p: Picture, box: string): number[] => (p.places.boxes[box] ?? []).slice(0, 2).map((x, i) => x * p.view.scale + (i === 0 ? p.view.x : p.view.y));
  const shifts = Object.keys(before.places.boxes).map((b) => Math.hypot(...onScreen(after, b).map((x, i) => x - (onScreen(before, b)[i] ?? 0))));
  expect(Math.min(...shifts), "px, of the box that moves least").toBeLessThan(1);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("adding and linking a block keeps the file valid and its comments", async () => {
  const { page } = operator;
  const before = site.read("examples/janus/janus.yaml");
  await operator.go("net");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByPlaceholder("Add a block").fill("flow.wave");
  await page.getByPlaceholder("Add a block").press("Enter");
  const wave = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.locator("aside .row", { hasText: "frequency" }).locator("input").fill("2.5");
  await page.locator("aside .row", { hasText: "frequency" }).locator("input").press("Enter");
  await page.getByPlaceholder("Add a block").fill("flow.gain");
  await page.getByPlaceholder("Add a block").press("Enter");
  const gain = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.keyboard.press("Control+z");
  await page.getByPlaceholder("Add a block").fill("flow.scope");
  await page.getByPlaceholder("Add a block").press("Enter");
  const scope = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.locator("aside .row", { hasText: "signals" }).locator("input").fill('["wave"]');
  await page.locator("aside .row", { hasText: "signals" }).locator("input").press("Enter");
  await page.getByLabel("From").fill(`${wave}.out`);
  await page.getByLabel("To", { exact: true }).fill(`${scope}.wave`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await operator.sees(verdict).toContain("No problems found");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("Saved");

  const after = site.read("examples/janus/janus.yaml");
  expect(await site.sinew("check", file)).not.toContain("error");
  expect(after).toContain(`${wave}.out -> ${scope}.wave`);
  expect(after).toContain("frequency: 2.5");
  const [old, now] = [before.split("\n"), after.split("\n")];
  expect(old.filter((line) => !now.includes(line)), "changed or removed lines").toEqual([]);
  expect(now.filter((line) => line.includes(gain)), "undone lines").toEqual([]);
});

test("a restart runs the saved net", async () => {
  const { page } = operator;
  await operator.restart();
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await operator.block("wave1");
  await operator.sees(() => operator.param("wave1", "frequency")).toBe("2.5");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.sees(shown).toMatch(/\d/);
});

const panel = `# The gain of joint 1.
title: pid1
widgets:
  - {type: slider, title: pid1.kp, at: [0, 0, 8, 2], bind: {param: pid1.kp}, min: 0, max: 160}   # to 160
  - {type: plot, at: [0, 2, 12, 5], signals: ["controller.ref1", "joint1.position"]}
`;

const workspace = "title: watch\npages: ['40:tree/pid1', '60:scope?add=controller.ref1']\n";

/** Returns the ports that the system file records. */
const recorded = (): string => /ports: \[(.*)\]/.exec(site.read("examples/janus/janus.yaml"))?.[1] ?? "";

test("grouping blocks keeps the file readable and its panels bound, and the system runs with it", async () => {
  const { page } = operator;
  site.write("examples/janus/panels/gains.yaml", panel);
  site.write("examples/janus/panels/watch.yaml", workspace);
  const ports = recorded();
  expect(ports).toContain("controller.ref*");
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toContain("No problems found");
  const node = (name: string): Promise<void> => page.locator(".reader button", { hasText: new RegExp(`^${name}$`) }).dispatchEvent("click", { shiftKey: name !== "controller" });
  for (const name of ["controller", "pid1", "pid2"]) await node(name);
  await page.getByRole("button", { name: "Group", exact: true }).click();
  await page.getByLabel("Name of the group").fill("control");
  await page.keyboard.press("Enter");
  await operator.sees(verdict).toContain("No problems found");
  expect(await verdict()).toContain("script moves.star");
  expect(await verdict()).toContain("Changes when you save: panel gains: controller → control.controller, pid1 → control.pid1");
  expect(await verdict()).toContain("panel watch: controller → control.controller, pid1 → control.pid1");
  expect(await verdict()).toContain("Also changed: record: controller.ref* → control.controller.ref*");
  expect(await verdict()).not.toContain("panel gains: pid1.kp");
  expect(site.read("examples/janus/panels/gains.yaml")).toBe(panel);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("Saved");

  const after = site.read("examples/janus/janus.yaml");
  expect(await site.sinew("check", file)).not.toContain("error");
  expect(after).toContain("groups:\n  control:\n    blocks:\n      controller: {type: servo.ControllerNPID");
  expect(after).toContain("      # Gains found on the simulated robot");
  expect(after).toContain("  - control.act -> actuator.act");
  const follows = panel.replace("param: pid1", "param: control.pid1").replace('"controller.', '"control.controller.');
  await operator.sees(() => Promise.resolve(site.read("examples/janus/panels/gains.yaml"))).toBe(follows);
  await operator.sees(() => Promise.resolve(site.read("examples/janus/panels/watch.yaml"))).toBe(workspace.replace("tree/pid1", "tree/control.pid1").replace("controller.ref1", "control.controller.ref1"));
  expect(recorded()).toBe(ports.replaceAll("controller.", "control.controller.").replace("pid*", "control.pid*"));

  await operator.restart();
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await page.locator(".reader button", { hasText: /^control \(group of 3, open\)$/ }).waitFor();
  await operator.block("control.pid1");
  const shown = (): Promise<string | null> => operator.port("out").locator(".num").textContent();
  await operator.sees(shown).toMatch(/[1-9]/);
  await operator.go("panels", "gains");
  await operator.sees(() => page.locator(".slider input, input[type=range]").first().inputValue()).toBe("80");
});

test("a workspace opens the blocks in their group", async () => {
  const { page } = operator;
  await operator.go("panels", "watch");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "control.pid1", exact: true }).waitFor();
  await operator.sees(() => operator.measured("control.controller.ref1", "now")).not.toBeNaN();
});

test("an invalid link is rejected with a reason; a file with errors cannot be saved", async () => {
  const { page } = operator;
  await operator.go("net", "", "?edit=1");
  await page.getByLabel("From").fill("sampler.sample");
  await page.getByLabel("To", { exact: true }).fill("control.pid1.ref");
  expect(await page.locator("form p").textContent()).not.toBe("");
  expect(await page.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "File", exact: true }).click();
  const text = page.getByLabel("System file", { exact: true });
  await text.fill((await text.inputValue()).replace("type: servo.PID,", "type: servo.PIDD,"));
  await operator.sees(verdict).toMatch(/PIDD/);
  expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Discard" }).click();
  await operator.sees(verdict).toContain("No problems found");
});

test("dissolving a group gives the file, its record and its panels their names back, and the system runs with it", async () => {
  const { page } = operator;
  await page.locator(".reader button", { hasText: /^control / }).dispatchEvent("click");
  await page.keyboard.press("Shift+G");
  await operator.sees(verdict).toContain("Changes when you save: panel gains: control.controller → controller, control.pid1 → pid1");
  await operator.sees(verdict).toContain("No problems found");
  expect(await verdict()).toContain("record: control.controller.ref* → controller.ref*");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await operator.sees(state).toBe("Saved");
  await operator.sees(() => Promise.resolve(site.read("examples/janus/panels/gains.yaml"))).toBe(panel);
  await operator.sees(() => Promise.resolve(site.read("examples/janus/panels/watch.yaml"))).toBe(workspace);
  expect(recorded()).toContain("controller.ref*, controller.error*, controller.act, pid*.out");
  expect(recorded()).not.toContain("control.");
  expect(site.read("examples/janus/janus.yaml")).not.toContain("groups:");
  expect(await site.sinew("check", file)).not.toContain("error");

  await operator.restart();
  await page.getByRole("button", { name: "Back to the running net" }).click();
  await operator.go("panels", "watch");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "pid1", exact: true }).waitFor();
  await operator.sees(() => operator.measured("controller.ref1", "now")).not.toBeNaN();
});
