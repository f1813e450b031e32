// Screenshots of every page in shots/, in the looks of looks.ts. `npm run build:mock && npm run shots`; SHOTS=net,tree selects some.
import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { launch, open, serve } from "./browser";
import { fileOf, folder, isWanted, looks } from "./looks";

interface Shot {
  name: string;
  /** the address after the #, without the system */
  at: string;
  system?: string;
  /** actions before the screenshot */
  first?: (page: Page) => Promise<void>;
}

const shots: Shot[] = [
  { name: "cockpit", at: "/cockpit" },
  { name: "cockpit-walker", at: "/cockpit", system: "walker" },
  { name: "cockpit-keys", at: "/cockpit", first: async (p) => p.keyboard.press("?") },
  { name: "net", at: "/net" },
  { name: "net-block", at: "/net/pid1" },
  { name: "net-walker", at: "/net", system: "walker" },
  { name: "net-plant", at: "/net", system: "plant" },
  { name: "net-edit", at: "/net?edit=1" },
  { name: "net-edit-group", at: "/net?edit=1", first: group },
  { name: "net-edit-walker", at: "/net?edit=1", system: "walker" },
  { name: "net-edit-plant", at: "/net?edit=1", system: "plant" },
  { name: "tree", at: "/tree/joint1" },
  { name: "scope", at: "/scope", first: draw },
  { name: "scope-plots", at: "/scope", first: async (p) => (await draw(p), await plots(p)) },
  { name: "scope-logs", at: "/scope", first: async (p) => p.keyboard.press("o") },
  { name: "scope-log", at: "/scope", first: async (p) => (await draw(p), await p.getByRole("button", { name: "Log…" }).click(), await p.getByRole("button", { name: /^janus\.mcap/ }).click()) },
  { name: "scope-compare", at: "/scope", first: compare },
  { name: "robot", at: "/robot" },
  { name: "robot-walker", at: "/robot", system: "walker" },
  { name: "tune", at: "/tune", first: tuned },
  { name: "tune-bode", at: "/tune", first: excited },
  { name: "share", at: "/cockpit", first: async (p) => p.getByRole("button", { name: "Share", exact: true }).click() },
  { name: "panels", at: "/panels" },
  { name: "panels-all", at: "/tree", first: filled },
  { name: "panels-edit", at: "/tree", first: async (p) => (await filled(p), await p.keyboard.press("e"), await p.locator(".grid-stack-item").first().click()) },
  { name: "plan", at: "/plan" },
  { name: "workspace", at: "/45:robot|55:scope" },
  { name: "stop", at: "/tree/pid1", first: async (p) => p.keyboard.press("Alt+s") },
  { name: "faults", at: "/system", system: "plant", first: async (p) => p.getByRole("button", { name: "1 fault" }).click() },
  { name: "system", at: "/system" },
  { name: "system-walker", at: "/system", system: "walker" },
  { name: "palette", at: "/tree/pid1", first: async (p) => (await p.keyboard.press("Control+k"), await p.keyboard.type("pid1 k")) },
];

/** Draws some signals in the scope for 2 s. */
async function draw(p: Page): Promise<void> {
  for (const name of ["joint1.position", "joint2.position", "pid1.out"]) {
    await p.getByLabel("Search signals").fill(name);
    await p.getByRole("button", { name: `Draw ${name}`, exact: true }).click();
  }
  await p.getByLabel("Search signals").fill("");
  await p.getByLabel("Time span").selectOption("5");
  await p.waitForTimeout(2000);
}

/** Adds a second plot over time, an XY plot and a spectrum. */
async function plots(p: Page): Promise<void> {
  const kind = p.getByLabel("Add a plot");
  await kind.selectOption("time");
  await p.getByLabel("Add a signal to plot 2").selectOption("pid1.out");
  await kind.selectOption("xy");
  await p.getByLabel("Horizontal axis of plot 3").selectOption("joint1.position");
  await p.getByLabel("Add a signal to plot 3").selectOption("joint2.position");
  await kind.selectOption("spectrum");
  await p.getByLabel("Add a signal to plot 4").selectOption("joint1.position");
  await p.waitForTimeout(3000);
}

/** Compares two logs, and writes a formula. */
async function compare(p: Page): Promise<void> {
  await draw(p);
  for (const button of [/^janus\.mcap/, "Compare with janus-before.mcap"]) {
    await p.getByRole("button", { name: "Log…" }).click();
    await p.getByRole("button", { name: button }).click();
  }
  await p.getByLabel("Shift").fill("0.7");
  await p.getByLabel("Shift").press("Enter");
  await p.getByLabel("Search signals").fill("= diff(joint1.position) * 180 / ");
  await p.waitForTimeout(1000);
}

/** Changes a gain, and draws a step response. */
async function tuned(p: Page): Promise<void> {
  await p.keyboard.press("Control+k");
  await p.keyboard.type("pid1.kp 90");
  await p.keyboard.press("Enter");
  await p.waitForTimeout(4000);
  await p.keyboard.press("Escape");
}

/** Excites a port with noise, for a Bode plot. */
async function excited(p: Page): Promise<void> {
  const form = p.getByRole("region", { name: "Excite" });
  for (const [field, text] of [["Port", "pid1.ref"], ["Response", "controller.sen1"], ["Amplitude", "0.1"], ["Duration, s", "4"]] as const) await form.getByLabel(field, { exact: true }).fill(text);
  await form.getByLabel("Shape").selectOption("noise");
  await form.getByLabel("To, Hz").fill("50");
  await form.getByRole("button", { name: "Excite" }).click();
  await form.getByLabel("Gain at the lowest frequency").scrollIntoViewIfNeeded();
}

/** Opens a panel with a widget of each kind. */
async function filled(p: Page): Promise<void> {
  const widgets = [
    { type: "view", title: "Janus", at: [0, 0, 10, 8] },
    { type: "plot", title: "Positions", at: [10, 0, 14, 8], signals: ["joint1.position", "joint2.position"] },
    { type: "slider", title: "Gain", at: [0, 8, 6, 2], bind: { param: "pid1.kp" }, min: 0, max: 200 },
    { type: "number", title: "Voltage", at: [6, 8, 4, 2], bind: { port: "pid1.out" } },
    { type: "gauge", title: "Joint 1", at: [10, 8, 5, 4], bind: { port: "joint1.position" }, min: -1, max: 1 },
    { type: "joystick", title: "Hand", at: [15, 8, 5, 4], bind: { x: { port: "joint1.voltage" }, y: { port: "joint2.voltage" } }, x_range: 5 },
    { type: "led", title: "Brake", at: [20, 8, 4, 2], bind: { param: "joint1.brake" } },
    { type: "switch", title: "Brake", at: [20, 10, 4, 2], bind: { param: "joint1.brake" } },
    { type: "radio", title: "Sign", at: [0, 10, 6, 2], bind: { param: "joint1.actuator_sign" }, choices: [{ value: 1, text: "forward" }, { value: -1, text: "mirrored" }] },
    { type: "button", title: "Move", at: [6, 10, 4, 2], bind: { operation: "generator.moveTo" }, args: "[0.5, 0.5], 2" },
  ];
  await p.evaluate((w) => {
    (window as unknown as { sinewMock: { server: { panels: Map<string, unknown> } } }).sinewMock.server.panels.set("janus/main", { title: "Main", widgets: w });
    location.hash = "#/panels?system=janus";
  }, widgets);
  await p.locator(".grid-stack-item").first().waitFor();
  await p.waitForTimeout(2500);
}

/** Groups the controller of Janus. */
async function group(p: Page): Promise<void> {
  for (const [i, name] of ["controller", "pid1", "pid2"].entries()) {
    await p.locator(".reader button", { hasText: new RegExp(`^${name}$`) }).dispatchEvent("click", { shiftKey: i > 0 });
  }
  await p.keyboard.press("g");
  await p.getByLabel("Name of the group").waitFor();
  await p.keyboard.type("control");
  await p.keyboard.press("Enter");
}

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  server = await serve("dist-mock");
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

for (const shot of shots.filter((s) => isWanted(s.name))) {
  test(shot.name, { timeout: 120_000 }, async () => {
    for (const look of looks) {
      const system = shot.system ?? "janus";
      const { page, errors } = await open(browser, `${server.url}/?mock#${shot.at}${shot.at.includes("?") ? "&" : "?"}system=${system}`, look);
      await page.waitForTimeout(2500);
      await shot.first?.(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: fileOf(shot.name, look) });
      if (errors.length > 0) console.log(shot.name, errors);
      await page.context().close();
    }
  });
}
