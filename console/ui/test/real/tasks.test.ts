// Eight tasks for a new user, with the mouse and with the keyboard alone. Each begins at the first page of a running Janus, and uses only
// what is visible there: names, labels and texts. It fails if it takes more actions than stated: controls that are clicked or reached by
// Tab and pressed, keys, and texts with Enter.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

type Hands = "mouse" | "keyboard";

const mostTabs = 100; // a page has fewer controls; more do not reach what is missed

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

/** A user who sees the console for the first time. */
class Newcomer {
  actions = 0;

  constructor(
    readonly operator: Operator,
    private readonly hands: Hands,
  ) {}

  get page(): Page {
    return this.operator.page;
  }

  /** Presses the button, link or block that is called so. */
  async click(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    this.actions++;
    const exact = typeof name === "string";
    const called = within.getByRole("button", { name, exact }).or(within.getByRole("link", { name, exact })).or(within.getByRole("treeitem", { name }));
    const control = called.filter({ visible: true }).first();
    if (this.hands === "mouse") return control.click();
    await this.reach(control);
    await this.page.keyboard.press("Enter");
  }

  /** Presses Tab until a control has the focus. */
  private async reach(control: Locator): Promise<void> {
    await control.waitFor();
    for (let tabs = 0; tabs <= mostTabs; ) {
      const away = await control.evaluate(stopsAway);
      if (away === 0) return;
      const presses = Math.ceil(away / 2); // the count is an estimate: never past the control
      await this.repeat("Tab", presses);
      tabs += presses;
    }
    expect.fail(`Tab does not reach ${control}`);
  }

  /** Presses a key several times, without waiting for the page after each. */
  private async repeat(key: string, times: number): Promise<void> {
    await Promise.all(Array.from({ length: times }, () => this.page.keyboard.press(key)));
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

  /** Moves a slider to about a value: clicks there, or presses keys that leap down, then step up to it. */
  async slide(slider: Locator, value: number): Promise<void> {
    const number = async (name: "min" | "max" | "step" | "value"): Promise<number> => Number(name === "value" ? await slider.inputValue() : await slider.getAttribute(name));
    this.actions++;
    if (this.hands === "mouse") {
      const [from, to] = [await number("min"), await number("max")];
      const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await this.page.mouse.click(x + (width * (value - from)) / (to - from), y + height / 2);
      return;
    }
    await this.reach(slider);
    while ((await number("value")) > value) await this.page.keyboard.press("PageDown");
    const left = async (): Promise<number> => value - (await number("value"));
    await this.page.keyboard.down("Shift");
    for (let s = await left(); s >= 1; s = await left()) await this.repeat("ArrowRight", Math.floor(s));
    await this.page.keyboard.up("Shift");
    for (let s = await left(); s > 0; s = await left()) await this.repeat("ArrowRight", Math.ceil(s / (await number("step"))));
  }

  /** Waits until a text is visible. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  dialog(): Locator {
    return this.page.getByRole("dialog");
  }
}

/** Returns about how many presses of Tab lead to a control: the elements between the focus and it that can have the focus, and itself. */
function stopsAway(control: Element): number {
  const stops = [...document.querySelectorAll<HTMLElement>("*")].filter((e) => e.tabIndex >= 0 && !e.matches(":disabled") && e.checkVisibility({ visibilityProperty: true }));
  const [from, to] = [stops.findIndex((e) => e === document.activeElement), stops.findIndex((e) => e === control)];
  return document.activeElement === control ? 0 : Math.max(1, to - from);
}

describe.each<Hands>(["mouse", "keyboard"])("with the %s", (hands) => {
  const site = new Site();
  const newcomers: Newcomer[] = [];
  let browser: Browser;
  let run: Run;

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

  /** Runs a task at the first page, and counts its actions. */
  function task(name: string, most: number, perform: (newcomer: Newcomer) => Promise<void>): void {
    test(`${name}: ${most} actions`, async () => {
      await site.sinew("param", "set", "pid1.kp=80");
      const newcomer = new Newcomer(await Operator.at(browser, run), hands);
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
    // Ten seconds, since the range of the bar moves on while the newcomer aims.
    const samples = (await site.sinew("tap", "controller.error1", "--count", "1000", "--json"))
      .split("\n")
      .map((line) => JSON.parse(line) as { time_ns: number; value: number })
      .map((s) => ({ time: s.time_ns * 1e-9, value: s.value }));
    const middle = samples[500]?.time ?? NaN;
    await newcomer.click("Open in Scope");
    await newcomer.reads("scope.error1");
    const bar = page.getByRole("slider", { name: "Time shown" });
    await operator.sees(async () => Number(await bar.getAttribute("max"))).toBeGreaterThan(middle);
    await newcomer.slide(bar, middle);
    await newcomer.reads(/ ago$/);
    await operator.sees(async () => {
      const shown = Number(await bar.inputValue());
      const near = samples.filter((s) => Math.abs(s.time - shown) < 0.02).map((s) => s.value);
      const value = await operator.measured("scope.error1", "now");
      return near.length > 0 && value > Math.min(...near) - 0.01 && value < Math.max(...near) + 0.01;
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
});
