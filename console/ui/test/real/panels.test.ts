// A panel is built by hand, survives a reload, and drives the robot.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch, plug } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let operator: Operator;
let run: Run;

beforeAll(async () => {
  [run, browser] = await Promise.all([site.run(site.janus()), launch()]);
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

const add = (widget: string): Promise<void> => operator.page.locator(".shelf").getByRole("button", { name: widget }).click();

async function bind(ref: string): Promise<void> {
  await operator.page.locator("input.binding").fill(ref);
  await operator.page.locator("input.binding").press("Enter");
}

test("a slider, a plot and a lamp are placed and bound; after a reload they are there", async () => {
  const { page } = operator;
  await operator.go("panels");
  await page.getByRole("button", { name: "Make the first one" }).click();
  await add("Slider");
  await bind("pid1.kp");
  await page.getByLabel("From").fill("0");
  await page.getByLabel("From").press("Enter");
  await page.getByLabel("To", { exact: true }).fill("200");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await add("LED");
  await bind("joint1.position");
  await add("Plot");
  await page.locator("aside textarea, aside input[placeholder*=signal]").first().fill("joint1.position");
  await page.getByRole("button", { name: "Done" }).click();
  await operator.sees(() => Promise.resolve(site.exists("examples/janus/panels/main.yaml"))).toBe(true);

  await page.reload();
  await operator.sees(() => page.locator(".grid-stack-item").count()).toBe(3);
  await operator.sees(() => page.getByRole("slider").inputValue()).toBe("80");
  await operator.sees(() => page.locator(".plot .legend").textContent()).toContain("joint1.position");
});

test("the slider tunes the gain", async () => {
  await operator.page.getByRole("slider").fill("120");
  await operator.sees(() => site.sinew("param", "get", "pid1.kp")).toBe("120");
});

test("a flood of changes ends where the hand ended", async () => {
  await operator.page.getByRole("slider").evaluate(async (slider: HTMLInputElement) => {
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

test("a widget bound to what is gone says so", async () => {
  site.write("examples/janus/panels/main.yaml", site.read("examples/janus/panels/main.yaml").replaceAll("pid1.kp", "pid9.kp"));
  await operator.page.reload();
  await operator.go("panels");
  await operator.sees(() => operator.page.locator(".grid-stack").textContent()).toContain("pid9.kp does not exist");
});

test("a gamepad drives inputs; unplugged, they are 0; left alone, they are the system's again", async () => {
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
  await operator.sees(() => operator.port("ref").textContent()).not.toContain("held by hand");
});

test("what a joystick holds is free when its page is lost", async () => {
  const lost = await Operator.at(browser, run);
  await lost.go("panels", "pad");
  await lost.page.getByRole("application").waitFor();
  await plug(lost.page, [0, 1]);
  const held = async (): Promise<boolean> => {
    const port = (await operator.port("ref").textContent()) ?? "";
    return port.includes("held by hand");
  };
  await operator.go("tree", "pid2");
  await operator.sees(held).toBe(true);
  await new Promise((later) => setTimeout(later, 2500)); // it is held on
  expect(await held()).toBe(true);
  await lost.page.close(); // as a browser that is killed does: the page runs no code any more
  await operator.sees(held).toBe(false);
});
