// What is lost and comes back: the line, the console, the system. Nothing goes blank.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
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

/** Whether the scope gets new values. */
async function streams(): Promise<void> {
  const before = await operator.measured("pid1.out", "now");
  await operator.sees(() => operator.measured("pid1.out", "now")).not.toBe(before);
}

test("a console that hangs is said to, and the page goes on with it", async () => {
  await operator.draw("pid1.out");
  const drawn = await operator.page.locator(".table tbody tr").count();
  run.signal("SIGSTOP");
  await operator.isTold("does not answer");
  expect(await operator.page.locator(".table tbody tr").count()).toBe(drawn);
  run.signal("SIGCONT");
  await operator.isTold("");
  await streams();
});

test("after kill -9 and a new start on the same port the page goes on when its user has signed in again", async () => {
  const { listen } = run;
  await run.end("SIGKILL");
  await operator.isTold("does not answer");
  run = await site.run(file, "--resume", "--listen", listen);
  await operator.isTold("session has ended");
  await operator.visit(run.url);
  await operator.isTold("");
  await streams();
});

test("stop asks first; a stopped system is shown as it was last, and starts again", async () => {
  const { page } = operator;
  await operator.go("system");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "No", exact: true }).click();
  expect(await page.locator(".state").textContent()).toBe("runs");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await operator.isTold("has ended");
  for (const name of ["net", "tree", "scope", "robot", "panels", "system"] as const) {
    await operator.go(name);
    await operator.sees(async () => (await page.locator("main").innerText()).length).toBeGreaterThan(20);
  }
  await page.getByRole("button", { name: "Start" }).click();
  await operator.isTold("");
  await operator.go("scope");
  await streams();
});

test("a tab that was open before the system changed shows the system as it is", async () => {
  await operator.block("pid1");
  const old = await operator.secondTab();
  await old.block("pid2");
  site.write("examples/janus/janus.yaml", site.read("examples/janus/janus.yaml").replaceAll("pid2", "second"));
  await operator.go("system");
  await operator.page.getByRole("button", { name: "Restart" }).click();
  await old.sees(() => old.page.locator(".detail").textContent()).toContain("has nothing of the name pid2 (any more)");
  await old.block("second");
  await old.sees(() => old.port("out").locator(".num").textContent()).toMatch(/\d/);
});
