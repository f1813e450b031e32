// A panel is built in the editor, survives a reload, and controls the robot.
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch, plug } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let run: Run;

beforeAll(async () => {
  const file = site.janus((text) => text.replace("\nlinks:", "  bias: {type: flow.Constant, thread: servo, params: {value: [1, 2, 3]}}\n\nlinks:"));
  [run, browser] = await Promise.all([site.run(file), launch()]);
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const add = (widget: string): Promise<void> => operator.page.locator(".widget-bar").getByRole("button", { name: widget }).click();

async function bind(ref: string): Promise<void> {
  await operator.page.locator("input.binding").fill(ref);
  await operator.page.locator("input.binding").press("Enter");
}

test("placed and bound widgets survive a reload", async () => {
  const { page } = operator;
  await operator.go("panels");
  await page.getByRole("button", { name: "Create a panel" }).click();
  await add("Slider");
  await bind("pid1.kp");
  await page.getByLabel("Minimum").fill("0");
  await page.getByLabel("Minimum").press("Enter");
  await page.getByLabel("Maximum").fill("200");
  await page.getByLabel("Maximum").press("Enter");
  await add("LED");
  await bind("joint1.position");
  await add("Plot");
  await page.locator("aside textarea, aside input[placeholder*=signal]").first().fill("joint1.position");
  await page.getByRole("button", { name: "Done" }).click();
  await operator.sees(() => Promise.resolve(site.exists("examples/janus/panels/main.yaml"))).toBe(true);

  await page.reload();
  await operator.sees(() => page.locator(".grid-stack-item").count()).toBe(3);
  await operator.sees(() => page.locator("main").getByRole("slider").inputValue()).toBe("80");
  await operator.sees(() => page.locator(".plot .legend").textContent()).toContain("joint1.position");
});

test("a slider tunes a gain", async () => {
  await operator.page.locator("main").getByRole("slider").fill("120");
  await operator.sees(() => site.sinew("param", "get", "pid1.kp")).toBe("120");
});

test("after a flood of changes the last value is set", async () => {
  await operator.page.locator("main").getByRole("slider").evaluate(async (slider: HTMLInputElement) => {
    for (let i = 0; i <= 1000; i++) {
      slider.value = String(i % 100);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      if (i % 50 === 0) await new Promise(requestAnimationFrame);
    }
    slider.value = "77";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await operator.sees(() => site.sinew("param", "get", "pid1.kp")).toBe("77");
  await operator.go("tree", "pid1");
  await operator.sees(() => operator.param("pid1", "kp")).toBe("77");
});

test("a widget with a missing binding reports it", async () => {
  site.write("examples/janus/panels/main.yaml", site.read("examples/janus/panels/main.yaml").replaceAll("pid1.kp", "pid9.kp"));
  await operator.page.reload();
  await operator.go("panels");
  await operator.sees(() => operator.page.locator(".grid-stack").textContent()).toContain("pid9.kp does not exist");
});

test("a gamepad sets inputs; disconnected it sets 0; leaving the page releases them", async () => {
  site.write(
    "examples/janus/panels/pad.yaml",
    "title: pad\nwidgets:\n  - {type: joystick, at: [0, 0, 6, 6], bind: {x: {port: pid1.ref}, y: {port: pid2.ref}}, x_range: 0.5, gamepad: true}\n",
  );
  const { page } = operator;
  await operator.go("panels", "pad");
  await page.reload();
  await page.getByRole("application").waitFor();
  const input = async (ref: string): Promise<number> => (JSON.parse(await site.sinew("tap", ref, "--count", "1", "--json")) as { value: number }).value;
  await plug(page, [1, 0]);
  await operator.sees(() => input("pid1.ref")).toBe(0.5);
  await plug(page, null);
  await operator.sees(() => input("pid1.ref")).toBe(0);
  await operator.go("tree", "pid1");
  await operator.sees(() => operator.port("ref").textContent()).not.toContain("overridden");
});

test("a joystick's overrides expire when its page is gone", async () => {
  const lost = await Operator.at(browser, run);
  await lost.go("panels", "pad");
  await lost.page.getByRole("application").waitFor();
  await plug(lost.page, [0, 1]);
  const overridden = async (): Promise<boolean> => {
    const port = (await operator.port("ref").textContent()) ?? "";
    return port.includes("overridden");
  };
  await operator.go("tree", "pid2");
  await operator.sees(overridden).toBe(true);
  await pause(2_500); // more than an override lasts that is not renewed
  await operator.sees(overridden).toBe(true);
  await lost.page.close(); // like a killed browser: the page runs no more code
  await operator.sees(overridden).toBe(false);
});

test("a field bound to an element of a parameter shows and sets this element only", async () => {
  const { page } = operator;
  site.write("examples/janus/panels/bias.yaml", 'title: bias\nwidgets:\n  - {type: number, at: [0, 0, 4, 2], bind: {value: {param: "bias.value[1]"}}, edit: true}\n');
  await operator.go("panels", "bias");
  await page.reload();
  const field = page.locator(".grid-stack-item input");
  await operator.sees(() => field.inputValue()).toMatch(/^2\.?0*$/);
  await field.fill("2.5");
  await field.press("Enter");
  await operator.sees(() => site.sinew("param", "get", "bias.value")).toMatch(/^\[1,\s*2\.5,\s*3\]$/);
});
