// The death of a core is reported on the page, with what to do, and the system starts again from there.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
const pulse = (name: string): string => site.system(`${name}.yaml`, `system: ${name}\nwatch: [wave.out]\nthreads:\n  main: {period: 20ms}\nblocks:\n  wave: {type: flow.Wave, thread: main, params: {shape: square}}\n`);
let browser: Browser;
const operators: Operator[] = [];

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => leave(site, browser, ...operators));

test("sinew run --console stays open after the death of the core, and starts the system again", async () => {
  const run = await site.run(pulse("pulse"));
  const operator = await Operator.at(browser, run);
  operators.push(operator);
  await operator.end(2);
  run.signalCore("SIGKILL");
  await operator.seesBar(/the core has died: its blocks were not brought to rest\. .*check the robot, then start the system again/);
  for (const page of ["scope", "robot", "system"] as const) {
    await operator.go(page);
    await operator.seesBar("the core has died");
  }
  expect(await operator.strip("Stop…").isDisabled()).toBe(true);
});

test("the time bar and Share show what was before the death, until the next run", async () => {
  const operator = operators[0] ?? expect.fail("the first test has opened no console");
  const { page } = operator;
  const end = (): Promise<number> => operator.end(2);
  await operator.block("wave");
  const out = operator.port("out").locator(".num");
  const backs = [0.3, 0.5, 0.8, 1]; // the square wave of 1 Hz has both its values in a second
  for (const back of backs) {
    await operator.sees(async () => { // the last refresh of the span may come after the death
      await operator.scrub((await end()) - back - 0.05); // in the middle of what is shown so, which the steps of the bar do not leave
      return page.getByRole("group", { name: "Time" }).textContent();
    }).toContain(`${back.toFixed(1)} s ago`);
  }
  const shown = new Set<string>();
  await operator.sees(async () => { // the value follows the bar after a moment
    await operator.scrub((await end()) - (backs[0] ?? 0));
    backs.push(backs.shift() ?? 0);
    const text = (await out.textContent()) ?? "";
    if (/^[−-]?1$/.test(text)) shown.add(text);
    return shown.size;
  }).toBe(2);
  const shared = await operator.share(site.folder);
  await shared.getByRole("region", { name: "Plot of wave.out" }).locator("canvas").waitFor();
  await operator.sees(() => shared.getByLabel("Notes and events").textContent()).toContain("the core has died");
  await shared.close();

  await operator.go("system");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await operator.seesBar("");
  await operator.sees(() => operator.strip("Stop…").isEnabled()).toBe(true);
  await operator.sees(() => page.getByRole("button", { name: "Live", exact: true }).getAttribute("aria-pressed")).toBe("true");
  await operator.sees(() => page.getByRole("group", { name: "Time" }).textContent()).toMatch(/last \d/);
});

test("sinew console reports the death of the core of another run", async () => {
  const run = site.spawn(["run", pulse("other"), "--quiet"]);
  const operator = await Operator.at(browser, await site.start(["console", site.name("other")]));
  operators.push(operator);
  await operator.strip("0 held").waitFor();
  run.signalCore("SIGKILL");
  await operator.seesBar("the core has died");
});
