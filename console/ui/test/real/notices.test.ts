// Findings in a system that are no errors: its notices, inputs that are partly linked, and the halves of a two-way block's ports.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;

const system = `system: quiet
threads:
  main: {period: 10ms}
  idle: {triggered: true}
blocks:
  wave: {type: flow.Wave, thread: main}
  parts: {type: flow.Demux, thread: main, params: {n: 3}}
  late: {type: flow.Delay, thread: main}
  gain: {type: flow.Gain, thread: idle}
links:
  - wave.out[0] -> parts.in[1]
  - wave.out -> late.in
`;

beforeAll(async () => {
  const [run, b] = await Promise.all([site.run(site.system("quiet.yaml", system)), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

test("the page Net lists the notices of the running net, and the elements of inputs that are not linked", async () => {
  const { page } = operator;
  await operator.go("net");
  await page.getByRole("button", { name: "1 notice, 2 not linked" }).click();
  const side = page.getByRole("complementary", { name: "Notices and unlinked inputs" });
  await operator.sees(() => side.getByRole("list", { name: "Notices" }).innerText()).toMatch(/^quiet\.yaml:4:3 thread "idle" never runs/);
  await operator.sees(() => side.getByRole("button").allTextContents()).toEqual(["", "parts.in[0,2]", "gain.in"]);
  await side.getByRole("button", { name: "parts.in[0,2]" }).click();
  await page.getByRole("complementary", { name: "parts" }).waitFor();
});

test("the editor shows notices beside errors, and none of a file with errors", async () => {
  const { page } = operator;
  const verdict = (): Promise<string | null> => page.locator(".errors").textContent();
  await operator.go("net", "", "?edit=1");
  await operator.sees(verdict).toMatch(/No problems found.*4:3.*Notice: thread "idle" never runs/s);
  await page.getByRole("button", { name: "File", exact: true }).click();
  const text = page.getByLabel("System file", { exact: true });
  await text.fill(system.replace("flow.Delay", "flow.Dleay"));
  await operator.sees(verdict).toContain('no block type "flow.Dleay"');
  expect(await verdict()).not.toContain("Notice:");
  await text.fill(system.replace("triggered: true", "period: 20ms"));
  await operator.sees(verdict).toContain("No problems found");
  expect(await verdict()).not.toContain("Notice:");
  await page.getByRole("button", { name: "Discard" }).click();
});

test("the page Tree shows in which half a two-way block reads and writes its ports", async () => {
  const { page } = operator;
  await operator.block("late");
  await page.getByRole("treeitem").filter({ has: page.locator(".label", { hasText: /^late$/ }) }).dblclick();
  const halves = page.getByRole("treeitem").filter({ has: page.locator(".half") });
  await operator.sees(async () => (await halves.locator(".label, .half").allTextContents()).join(" ")).toBe("in control out sense");
});
