// People at one console: each sees at once what the other does, and may do what the role allows.
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Locator } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let anna: Operator;
let ben: Operator;
let run: Run;

const eveToken = "a-token-of-eve-who-only-looks";

beforeAll(async () => {
  let b: Browser;
  chmodSync(site.write("examples/janus/eve.token", eveToken), 0o600);
  const file = site.janus((text) => `${text}\nusers:\n  eve: {role: view, token: eve.token}\n`);
  [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  [anna, ben] = await Promise.all([Operator.at(browser, run), Operator.at(browser, run)]);
});
afterAll(() => leave(site, browser, anna, ben));

test("a gain that one sets, the other sees", async () => {
  await Promise.all([anna.block("pid1"), ben.block("pid1")]);
  await anna.sees(() => anna.param("pid1", "kp")).toBe("80");
  await ben.tune("pid1", "kp", "72");
  await anna.sees(() => anna.param("pid1", "kp")).toBe("72");
});

test("an input that one holds, the other sees held, and may release", async () => {
  await ben.port("ref").getByRole("button", { name: "Hold pid1.ref" }).click();
  await ben.port("ref").getByLabel("Value for pid1.ref").fill("0.5");
  await ben.port("ref").getByRole("button", { name: "Set" }).click();
  await anna.sees(() => anna.port("ref").textContent()).toContain("held by hand");
  await anna.port("ref").getByRole("button", { name: "Release" }).click();
  await ben.sees(() => ben.port("ref").textContent()).not.toContain("held by hand");
});

test("who comes later sees what is held", async () => {
  await anna.port("ref").getByRole("button", { name: "Hold pid1.ref" }).click();
  await anna.port("ref").getByRole("button", { name: "Set" }).click();
  await anna.sees(() => anna.port("ref").textContent()).toContain("held by hand");
  await ben.page.reload();
  await ben.sees(() => ben.port("ref").textContent()).toContain("held by hand");
  await ben.port("ref").getByRole("button", { name: "Release" }).click();
});

test("a file that one has saved, the other does not overwrite", async () => {
  await Promise.all([anna.go("net", "", "?edit=1"), ben.go("net", "", "?edit=1")]);
  for (const [who, gain] of [[anna, "70"], [ben, "60"]] as const) {
    await who.page.getByRole("button", { name: "pid1", exact: true }).focus();
    await who.page.keyboard.press("Enter");
    await who.page.locator("aside .row", { hasText: "kp" }).locator("input").fill(gain);
    await who.page.locator("aside .row", { hasText: "kp" }).locator("input").press("Enter");
  }
  await anna.page.getByRole("button", { name: "Save", exact: true }).click();
  await anna.sees(() => Promise.resolve(site.read("examples/janus/janus.yaml"))).toContain("kp: 70");
  await ben.page.getByRole("button", { name: "Save", exact: true }).click();
  await ben.sees(() => ben.page.getByRole("alert").textContent()).toMatch(/changed/);
  expect(site.read("examples/janus/janus.yaml")).toContain("kp: 70");
});

test("who may only look sees what he may not do, and why", async () => {
  const eve = await Operator.at(browser, run, {}, `${run.origin}/?token=${eveToken}`);
  const { page } = eve;
  expect(await page.locator(".user").textContent()).toBe("eveview");
  const detail = await eve.block("pid1");
  await eve.sees(() => eve.port("out").locator(".num").textContent()).toMatch(/\d/);
  expect(await detail.getByLabel("kp", { exact: true }).getAttribute("readonly")).not.toBeNull();
  const refused = async (buttons: Locator, why: string): Promise<void> => {
    for (const b of await buttons.all()) expect([await b.isDisabled(), await b.getAttribute("title")]).toEqual([true, why]);
    expect(await buttons.count()).toBeGreaterThan(0);
  };
  await refused(detail.getByRole("button", { name: /Disable|Hold|Release/ }), "Needs the role tune; yours is view");
  await eve.go("system");
  await refused(page.getByRole("button", { name: /^(Stop|Restart)/ }), "Needs the role drive; yours is view");
  await eve.go("net");
  expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
  await eve.close();
});
