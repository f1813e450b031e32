// Eight tasks for a new user. Each begins at the first page of a running Janus, and uses only what is visible there:
// names, labels and texts. It fails if it takes more actions than stated: clicks, keys, and texts with Enter.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let run: Run;
const newcomers: Newcomer[] = [];

const gains = Array.from({ length: 11 }, (_, i) => `g${i + 1}`); // 1e30 each: the last one is infinite

/** A PID beside Janus that is in error: its reference is infinite. */
const faulty = `
  zero:    {type: flow.Constant, thread: second, params: {value: [0]}}
  one:     {type: flow.Constant, thread: second, params: {value: [1]}}
${gains.map((g) => `  ${g}: {type: flow.Gain, thread: second, params: {gain: [1.0e+30]}}`).join("\n")}
  balance: {type: servo.PID, thread: second}
`;
const faultyLinks = `
${gains.map((g, i) => `  - ${gains[i - 1] ?? "one"}.out -> ${g}.in`).join("\n")}
  - g11.out[0] -> balance.ref
  - zero.out[0] -> balance.sen
`;

beforeAll(async () => {
  const file = site.janus((text) =>
    text
      .replace("threads:\n", "threads:\n  second: {period: 10ms}\n")
      .replace("blocks:\n", `blocks:${faulty}`)
      .replace("links:\n", `links:${faultyLinks.trimEnd()}\n`),
  );
  [run, browser] = await Promise.all([site.run(file), launch()]);
});
afterAll(() => leave(site, browser, ...newcomers.map((n) => n.operator)));

/** A user who sees the console for the first time. */
class Newcomer {
  actions = 0;

  constructor(readonly operator: Operator) {}

  get page(): Page {
    return this.operator.page;
  }

  /** Clicks the button, link or block that is called so. */
  async click(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    this.actions++;
    const exact = typeof name === "string";
    const called = within.getByRole("button", { name, exact }).or(within.getByRole("link", { name, exact })).or(within.getByRole("treeitem", { name }));
    await called.filter({ visible: true }).first().click();
  }

  /** Types over what the chosen field contains, and presses Enter. */
  async type(text: string): Promise<void> {
    this.actions++;
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  async press(key: string): Promise<void> {
    this.actions++;
    await this.page.keyboard.press(key);
  }

  /** Clicks into an element, at a share of its width. */
  async clickAt(element: Locator, share: number): Promise<void> {
    this.actions++;
    const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await this.page.mouse.click(x + share * width, y + height / 2);
  }

  /** Waits until a text is visible. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  dialog(): Locator {
    return this.page.getByRole("dialog");
  }
}

/** Runs a task at the first page, and counts its actions. */
function task(name: string, most: number, perform: (newcomer: Newcomer) => Promise<void>): void {
  test(`${name}: ${most} actions`, async () => {
    await site.sinew("param", "set", "pid1.kp=80");
    const newcomer = new Newcomer(await Operator.at(browser, run));
    newcomers.push(newcomer);
    await perform(newcomer);
    expect(newcomer.actions).toBeLessThanOrEqual(most);
    await newcomer.operator.close();
  });
}

task("see the robot move", 0, async ({ page, operator }) => {
  const robot = page.getByRole("region", { name: "Robot" });
  const picture = robot.locator("canvas");
  await picture.waitFor();
  const look = async (): Promise<string> => (await picture.screenshot()).toString("base64");
  const first = await look();
  await operator.sees(look).not.toBe(first);
});

task("change a gain, and see its effect in a plot", 4, async (newcomer) => {
  const { operator } = newcomer;
  await newcomer.click("Try it"); // beside “Change a value while it runs”
  await newcomer.type("pid1.kp 4"); // over “pid1.kp 80”
  await newcomer.reads("pid1.kp: 80 → 4");
  await newcomer.press("Escape");
  await newcomer.click("Open in Scope"); // beside a plot
  await operator.sees(() => operator.measured("scope.error1", "max")).toBeGreaterThan(0.3); // 0.06 rad before
});

task("find what is held, and release it", 2, async (newcomer) => {
  await hold("scope.error2", "0.25");
  const { operator } = newcomer;
  await newcomer.click("1 held");
  await newcomer.reads("scope.error2");
  await newcomer.click("Release", newcomer.dialog());
  await operator.strip("0 held").waitFor();
});

task("find why a block is in error", 1, async (newcomer) => {
  await newcomer.click("1 fault");
  await newcomer.reads("balance");
  await newcomer.reads(/ref - sen is not a finite number/);
});

task("find the value of a signal at a time that has passed", 2, async (newcomer) => {
  const { page, operator } = newcomer;
  const samples = (await site.sinew("tap", "controller.error1", "--count", "600", "--json"))
    .split("\n")
    .map((line) => JSON.parse(line) as { time_ns: number; value: number })
    .map((s) => ({ time: s.time_ns * 1e-9, value: s.value }));
  const middle = samples[300]?.time ?? NaN;
  await newcomer.click("Open in Scope");
  await newcomer.reads("scope.error1");
  const bar = page.getByRole("slider", { name: "Time shown" });
  const span = async (): Promise<[number, number]> => [Number(await bar.getAttribute("min")), Number(await bar.getAttribute("max"))];
  await operator.sees(async () => (await span())[1]).toBeGreaterThan(middle);
  const [from, to] = await span();
  await newcomer.clickAt(bar, (middle - from) / (to - from));
  await newcomer.reads(/ ago$/);
  await operator.sees(async () => {
    const shown = Number(await bar.inputValue());
    const nearest = samples.reduce((a, b) => (Math.abs(b.time - shown) < Math.abs(a.time - shown) ? b : a));
    return Math.abs(nearest.time - shown) < 0.02 && Math.abs((await operator.measured("scope.error1", "now")) - nearest.value) < 0.01;
  }).toBe(true);
});

task("compare the behaviour before and after a change of a gain", 3, async (newcomer) => {
  const { page } = newcomer;
  await newcomer.click("Try it");
  await newcomer.type("pid1.kp 20");
  await newcomer.click("Compare before and after"); // below the answer
  const card = page.getByRole("article", { name: "pid1.kp" }).first();
  await card.getByRole("columnheader", { name: "before" }).waitFor();
  await card.getByRole("columnheader", { name: "after" }).waitFor();
});

task("save what happened, to show it to a colleague", 2, async (newcomer) => {
  const { page, operator } = newcomer;
  await operator.sees(() => page.getByRole("button", { name: "Share", exact: true }).isEnabled()).toBe(true);
  await newcomer.click("Share");
  const saved = page.waitForEvent("download");
  await newcomer.click(/^Save/, newcomer.dialog());
  expect((await saved).suggestedFilename()).toMatch(/^janus.*\.html$/);
});

task("stop everything", 2, async (newcomer) => {
  await newcomer.click(/^Stop…/);
  await newcomer.click("Stop", newcomer.dialog());
  await newcomer.operator.seesBar("has ended");
});

/** Sets a port by hand, as another user does. */
async function hold(port: string, value: string): Promise<void> {
  const other = await Operator.at(browser, run);
  const [block = "", name = ""] = port.split(".");
  await other.block(block);
  const row = other.port(name);
  await row.hover();
  await row.getByRole("button", { name: `Override ${port}` }).click();
  await row.getByLabel(`Value for ${port}`).fill(value);
  await row.getByRole("button", { name: "Set" }).click();
  await other.strip("1 held").waitFor();
  await other.close();
}
