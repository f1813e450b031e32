// Stop of a system under `sinew up` stops all of it: the supervisor, its processes, and programs in other languages.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let file: string;

const fleet = `system: fleet
threads:
  one: {period: 10ms}
  two: {period: 10ms}
blocks:
  wave:    {type: flow.Wave, thread: one}
  twice:   {type: flow.Gain, thread: two, params: {gain: [2]}}
  foreign: {run: [sh, -c, "echo lens open; exec sleep 100000"], in: [value]}
  camera:  {run: [sh, -c, "exec sleep 100000"], in: [value]}
links:
  - wave.out -> twice.in
  - twice.out -> foreign.value
  - twice.out -> camera.value
deploy:
  processes:
    first:   {threads: [one], restart: always}
    second:  {threads: [two], restart: always}
    foreign: {restart: always}
    camera:  {restart: never}
`;

beforeAll(async () => {
  file = site.system("fleet.yaml", fleet);
  await site.sinew("up", file);
  const [console, b] = await Promise.all([site.start(["console"]), launch()]);
  browser = b;
  operator = await Operator.at(browser, console);
});
afterAll(async () => {
  await site.sinew("down", site.name("fleet")).catch(() => undefined);
  await leave(site, browser, operator);
});

test("Stop ends every process, and none is started again", async () => {
  const { page } = operator;
  const processes = async (): Promise<string> => site.sinew("ps", "--json");
  const before = await listed();
  const all = ["first", "second", "foreign", "camera"].map((name) => pidOf(before, name) ?? expect.fail(`${name} has no process`));
  expect(all.filter(lives)).toEqual(all);
  await operator.go("scope");
  await operator.strip("Stop…").click();
  const dialog = page.getByRole("dialog", { name: /^Stop fleet/ });
  await operator.sees(() => dialog.innerText()).toContain("whatever their restart policy");
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await operator.seesBar("has ended");
  await operator.sees(() => Promise.resolve(all.filter(lives))).toEqual([]); // by the kernel, not by what sinew lists
  await pause(1500); // longer than a supervisor waits before a restart
  expect(await processes()).not.toContain('"foreign"');
  expect(await processes()).not.toContain(site.name("fleet"));
  await operator.go("system");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await operator.seesBar("");
  expect(await processes()).toContain('"foreign"');
});

test("Restart asks first", async () => {
  await operator.go("system");
  await operator.page.getByRole("button", { name: "Restart…" }).click();
  const dialog = operator.page.getByRole("dialog", { name: /^Restart fleet/ });
  await operator.sees(() => dialog.innerText()).toContain("Tuned values that are not saved are lost");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await operator.sees(() => dialog.count()).toBe(0);
  expect(await operator.page.locator("main .state").textContent()).toBe("Running");
});

test("programs in other languages are drawn with their links, and their processes are listed", async () => {
  const { page } = operator;
  await operator.go("net", "foreign");
  await page.locator(".reader button", { hasText: /^foreign$/ }).waitFor({ state: "attached" });
  const side = page.locator("aside");
  await operator.sees(() => side.innerText()).toMatch(/State\s+running\s+Last line\s+lens open\s+Log\s+sinew logs \S*fleet\S* foreign[\s\S]*twice\.out → foreign\.value/);
  await operator.go("system");
  const row = page.locator("main tr", { has: page.locator("b", { hasText: /^foreign$/ }) });
  await operator.sees(() => row.first().innerText()).toMatch(/running\s+program\s+lens open/);
});

test("a program in another language that was killed is named in the strip, and marked in the net", async () => {
  const { page } = operator;
  await operator.go("net", "camera");
  await operator.strip("0 held").waitFor();
  expect(await operator.strip(/missing/).count()).toBe(0);
  process.kill(pidOf(await listed(), "camera") ?? expect.fail("camera has no process"), "SIGKILL");
  await operator.strip("1 process missing").click();
  await operator.sees(() => page.getByRole("dialog", { name: "1 process missing" }).innerText()).toContain("process camera: failed: signal: killed");
  await page.keyboard.press("Escape");
  await page.locator(".reader button", { hasText: /^camera \[in error\]$/ }).waitFor({ state: "attached" });
  await operator.go("net", "camera");
  await operator.sees(() => page.locator("aside").innerText()).toContain("failed: signal: killed");
});

/** Returns what sinew ps --json prints. */
async function listed(): Promise<unknown[]> {
  return (await site.sinew("ps", "--json")).split("\n").map((line) => JSON.parse(line) as unknown);
}

/** Reports whether a process exists that has not ended: one that its parent has not waited for yet has. */
function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns the PID of a process in what sinew ps --json prints, at whatever depth. */
function pidOf(value: unknown, name: string): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name: own, pid } = value as { name?: unknown; pid?: unknown };
  if (own === name && typeof pid === "number") return pid;
  for (const part of Object.values(value)) {
    const found = pidOf(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
