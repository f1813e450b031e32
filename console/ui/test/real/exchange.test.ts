// Which values the links of a net carry, and the calls of operations: on the page Net as "sinew check -v" prints them.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { boxOf } from "../net";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let file: string;
let browser: Browser;
let operator: Operator;
let janus: Operator;

const system = `system: kinds
threads:
  fast: {period: 10ms}
  late: {period: 10ms, offset: 5ms}
  idle: {triggered: true}
blocks:
  wave: {type: flow.Wave, thread: fast}
  near: {type: flow.Gain, thread: fast}
  ticked: {type: flow.Gain, thread: late}
  straight: {type: flow.Gain, thread: late}
  newest: {type: flow.Gain, thread: late}
  queued: {type: flow.Gain, thread: late}
  woken: {type: flow.Gain, thread: idle}
links:
  - wave.out -> near.in
  - wave.out -> ticked.in
  - {link: wave.out -> straight.in, direct: true}
  - {link: wave.out -> newest.in, newest: true}
  - {link: wave.out -> queued.in, buffer: 4}
  - wave.out -> woken.in
`;

beforeAll(async () => {
  file = site.system("kinds.yaml", system);
  const [run, arm, b] = await Promise.all([site.run(file), site.run(site.janus()), launch()]);
  browser = b;
  operator = await Operator.at(browser, run);
  janus = await Operator.at(browser, arm);
});
afterAll(() => leave(site, browser, operator, janus));

/** Points at a link, beside the input at its end, and returns the tip. */
async function tipAt({ page }: Operator, block: string, row: number): Promise<string> {
  const box = await boxOf(page, block);
  const scale = box.width / (box.rect[2] ?? 1);
  await page.mouse.move(box.left - 10, box.top + (38 + (row + 0.5) * 18) * scale);
  await page.locator(".tip").waitFor();
  return page.locator(".tip").innerText();
}

test("the tip of a link states what sinew check -v prints, and the legend the kinds that there are", async () => {
  const { page } = operator;
  await operator.go("net");
  await boxOf(page, "ticked");
  const printed = await site.sinew("check", "-v", file);
  for (const [block, text] of [
    ["ticked", "by tick: 15ms old"],
    ["straight", "direct: of the same tick, 5ms old; the reader waits at most 5ms"],
    ["newest", "the newest value"],
    ["queued", "each value, in order; at most 4 wait"],
    ["woken", "the newest value"],
  ] as const) {
    expect(printed).toMatch(new RegExp(`wave\\.out -> ${block}\\.in +${text}$`, "m"));
    expect(await tipAt(operator, block, 0)).toContain(text);
  }
  expect(await tipAt(operator, "near", 0)).toContain("the value of this activation");
  const legend = page.getByRole("list", { name: "Legend" });
  await operator.sees(() => legend.innerText().then((t) => t.replace(/\s+/g, " "))).toMatch(/by tick of a period before.*direct of the same tick.*newest the latest value.*buffered each value/);
  expect(await legend.innerText()).not.toContain("operations");
});

test("an input shows the age that its link gives it, and the time since its source was disabled", async () => {
  const input = async (block: string) => (await operator.block(block)).getByRole("listitem").filter({ hasText: "wave.out" });
  const ticked = await input("ticked");
  await operator.sees(() => ticked.innerText()).toContain("15 ms old");
  const near = await input("near"); // in the thread of its source
  await operator.sees(() => near.innerText()).toMatch(/\d\]/);
  await operator.sees(() => near.innerText()).not.toContain("old");
  await (await operator.block("wave")).getByRole("button", { name: "Disable" }).click();
  await operator.block("near");
  await operator.sees(() => near.innerText()).toMatch(/\d s old/);
});

test("a call of an operation is a line between the titles of two blocks", async () => {
  const { page } = janus;
  await janus.go("net");
  await boxOf(page, "robot");
  await janus.sees(() => page.getByRole("list", { name: "Legend" }).innerText()).toContain("calls operations");
  expect(await tipAt(janus, "robot", -1)).toMatch(/aic0[12] calls robot\.(readSensors|setVolts|setPower|setBrake)/);
});
