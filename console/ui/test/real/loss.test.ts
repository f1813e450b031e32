// Loss and return of the connection, the console and the system. Pages keep their contents.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Locator } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let run: Run;
let operator: Operator;
let file: string;

beforeAll(async () => {
  file = site.janus();
  [run, browser] = await Promise.all([site.run(file), launch()]);
  operator = await Operator.at(browser, run);
});
afterAll(() => leave(site, browser, operator));

/** Waits until the scope receives new values. */
async function streams(): Promise<void> {
  const before = await operator.measured("pid1.out", "now");
  await operator.sees(() => operator.measured("pid1.out", "now")).not.toBe(before);
}

test("a hanging console is reported, and the page continues with it", async () => {
  await operator.draw("pid1.out");
  const drawn = await operator.page.locator(".table tbody tr").count();
  run.signal("SIGSTOP");
  await operator.seesBar("Connection lost");
  expect(await operator.page.locator(".table tbody tr").count()).toBe(drawn);
  const state = operator.page.getByRole("toolbar", { name: "Scope" }).getByRole("status");
  await operator.sees(() => state.textContent()).toBe("No new values");
  run.signal("SIGCONT");
  await operator.seesBar("");
  await operator.sees(() => state.textContent()).toBe("Running");
  await streams();
});

test("the robot stays in the cockpit and in panels while the connection is lost, and moves on afterwards", async () => {
  site.write("examples/janus/panels/view.yaml", "title: View\nwidgets:\n  - {type: view, title: Janus, at: [0, 0, 12, 10], robot: robot}\n");
  const { page } = operator;
  const canvas = page.locator("main canvas[data-engine]").first();
  const picture = async (): Promise<string> => (await canvas.screenshot()).toString("base64");
  const moves = async (): Promise<void> => {
    const before = await picture();
    await operator.sees(picture).not.toBe(before);
  };
  for (const [name, path] of [["cockpit", ""], ["panels", "view"]] as const) {
    await operator.go(name, path);
    await canvas.waitFor();
    await moves();
    await canvas.evaluate((c) => (c.dataset["kept"] = "yes"));
    run.signal("SIGSTOP");
    await operator.seesBar("Connection lost");
    expect(await canvas.getAttribute("data-kept")).toBe("yes");
    run.signal("SIGCONT");
    await operator.seesBar("");
    await moves();
    expect(await canvas.getAttribute("data-kept")).toBe("yes");
  }
});

let gain = 80;

/** Changes a gain, waits for its line in the event log, and returns the line. */
async function tuned(): Promise<Locator> {
  const line = operator.page.getByRole("log").getByText(new RegExp(`pid1\\.kp .* ${++gain}$`));
  await operator.tune("pid1", "kp", String(gain));
  await operator.go("system");
  await line.waitFor();
  return line;
}

test("after kill -9 and a restart on the same port the page continues without a new login, and its log with both consoles' events", async () => {
  const { listen } = run;
  const before = await tuned();
  await run.end("SIGKILL");
  await operator.seesBar("Connection lost");
  run = await site.run(file, "--resume", "--listen", listen);
  await operator.seesBar("");
  await operator.go("scope");
  await streams();
  await tuned();
  expect(await before.count()).toBe(1);
});

test("pages that were not opened before are shown while the connection is lost, and so are the editor and parts of pages", async () => {
  await operator.go("system");
  const tab = await operator.secondTab();
  await tab.sees(() => tab.page.evaluate(() => performance.getEntriesByName("prefetched").length)).toBe(1);
  const loaded = new Set<string>();
  tab.page.on("request", (r) => r.resourceType() === "script" && loaded.add(r.url()));
  run.signal("SIGSTOP");
  await tab.seesBar("Connection lost");
  const main = tab.page.locator("main");
  for (const [name, query] of [["cockpit"], ["net"], ["net", "?edit=1"], ["tree"], ["scope"], ["robot"], ["panels"], ["tune"], ["plan"], ["system"]] as const) {
    await tab.go(name, "", query);
    await tab.sees(() => main.locator("> *").count()).toBeGreaterThan(0);
    expect(await main.textContent()).not.toMatch(/Loading (this page|the editor|the 3-D view|the plot) failed/);
  }
  expect([...loaded], "scripts that were missing").toEqual([]);
  run.signal("SIGCONT");
  await tab.seesBar("");
  await tab.page.close();
  await operator.seesBar("");
});

test("Stop asks for confirmation; a stopped system keeps its last state and starts again", async () => {
  const { page } = operator;
  await operator.go("system");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect(await page.locator("main .state").textContent()).toBe("Running");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await operator.seesBar("has ended");
  for (const name of ["net", "tree", "scope", "robot", "panels", "system"] as const) {
    await operator.go(name);
    await operator.sees(async () => (await page.locator("main").innerText()).length).toBeGreaterThan(20);
  }
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await operator.seesBar("");
  await operator.go("scope");
  await streams();
});

test("a tab opened before a change of the system shows the changed system", async () => {
  await operator.block("pid1");
  const old = await operator.secondTab();
  await old.block("pid2");
  site.write("examples/janus/janus.yaml", site.read("examples/janus/janus.yaml").replaceAll("pid2", "second"));
  await operator.go("system");
  await operator.restart();
  await old.sees(() => old.page.locator(".detail").textContent()).toContain("has no block, port or parameter pid2");
  await old.block("second");
  await old.sees(() => old.port("out").locator(".num").textContent()).toMatch(/\d/);
});
