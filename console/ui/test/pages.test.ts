// Every page in Chromium, with the simulated console. Needs `npm run build:mock`.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();

/** The button of a block in the list for screen readers. */
const inNet = (page: Page, name: string) => page.locator(".reader button", { hasText: new RegExp(`^${name}( |$)`) });

test.each(["cockpit", "net", "tree", "scope", "robot", "panels", "system"])("a digit key opens %s", async (name) => {
  const page = await mock.open("/tree");
  await page.getByRole("tree").waitFor();
  await page.locator("body").press(String(["cockpit", "net", "tree", "scope", "robot", "panels", "system"].indexOf(name) + 1));
  await page.waitForURL(new RegExp(`#/${name}`));
  await expect.poll(() => page.locator(`nav a[href="#/${name}"]`).getAttribute("aria-current")).toBe("page");
  await expect.poll(async () => (await page.locator("main").innerText()).trim()).not.toBe("");
});

test("a tuned gain appears in the log and on other pages", async () => {
  const page = await mock.open("/tree/pid1");
  const kp = page.locator('[id="pid1.kp"]');
  await expect.poll(() => kp.inputValue()).toBe("80");
  await kp.fill("95");
  await kp.press("Enter");
  await page.getByRole("link", { name: "System" }).click();
  await expect.poll(() => page.getByRole("log").locator(".text").allInnerTexts()).toContain("ada: pid1.kp 80 → 95");
  await page.evaluate(() => (location.hash = "#/net/pid1"));
  await expect.poll(() => page.locator('[id="pid1.kp"]').inputValue()).toBe("95");
});

test("an invalid parameter value is rejected with the reason", async () => {
  const page = await mock.open("/tree/pid1");
  const kp = page.locator('[id="pid1.kp"]');
  await expect.poll(() => kp.inputValue()).toBe("80");
  await kp.fill("much");
  await kp.press("Enter");
  await expect.poll(() => page.locator(".row.fault").innerText()).toContain("not a number");
  await kp.fill("-1");
  await kp.press("Enter");
  await expect.poll(() => page.locator(".row.fault").innerText()).toContain("at least 0");
});

test("an input is overridden and released", async () => {
  const page = await mock.open("/tree/pid1");
  const row = page.getByRole("listitem").filter({ hasText: "ref" }).first();
  await row.hover();
  await row.getByLabel("Override pid1.ref").click();
  await row.getByLabel("Value for pid1.ref").fill("0.25");
  await row.getByLabel("Value for pid1.ref").press("Enter");
  await row.getByLabel("Value for pid1.ref").press("Escape");
  await expect.poll(() => row.innerText()).toContain("overridden");
  await expect.poll(() => row.innerText()).toContain("0.2500");
  await row.getByText("Release").click();
  await expect.poll(() => row.innerText()).not.toContain("overridden");
});

test("old values of ports have their ages, in the tree and beside the net", async () => {
  const page = await mock.open("/tree/pid1");
  const row = page.getByRole("listitem").filter({ hasText: "ref" }).first();
  await expect.poll(() => row.innerText()).toContain("controller");
  expect(await row.innerText()).not.toContain("old");
  await page.evaluate(() => {
    const { ages } = (window as unknown as { sinewMock: { server: { system: (name: string) => { ages: Map<string, number> } } } }).sinewMock.server.system("janus");
    ages.set("pid1.ref", 35e6).set("pid1.out", 80e6).set("pid1.sen", 4e6);
  });
  await expect.poll(() => row.innerText()).toContain("35 ms old");
  await expect.poll(() => page.getByRole("listitem").filter({ hasText: "80 ms old" }).count()).toBe(1);
  await page.locator("body").press("f");
  await page.keyboard.type("pid1 out");
  await expect.poll(() => page.getByRole("tree").innerText()).toContain("80 ms old");
  await page.evaluate(() => (location.hash = "#/net/pid1"));
  await expect.poll(() => page.locator("aside").innerText()).toContain("35 ms old");
  expect(await page.locator("aside").innerText()).not.toMatch(/\b4 ms old/); // within a period of the thread
});

test("saving tuned values shows the difference first", async () => {
  const page = await mock.open("/tree/pid1");
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.innerText()).toContain("kp: 95");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => dialog.count()).toBe(0);
});

test("a block is disabled and enabled", async () => {
  const page = await mock.open("/net/pid2");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await expect.poll(() => page.locator("aside").innerText()).toContain("the block is not executed");
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await expect.poll(() => page.locator("aside").innerText()).not.toContain("the block is not executed");
});

test("an operation is shown with the units of its argument and its result", async () => {
  const page = await mock.open("/net/joint1");
  await expect.poll(() => page.locator("aside").innerText()).toContain("value, V");
  await expect.poll(() => page.locator("aside").innerText()).toContain("float64 rad");
});

test("the tree is searched and navigated with keys", async () => {
  const page = await mock.open("/tree?system=walker");
  const tree = page.getByRole("tree");
  await tree.waitFor();
  await page.locator("body").press("f");
  await page.keyboard.type("left_rear target_x");
  await expect.poll(() => tree.innerText()).toContain("left_rear");
  expect(await tree.innerText()).not.toContain("right_rear");
  await page.keyboard.press("Escape");
  await tree.press("Home");
  await tree.press("ArrowDown");
  await tree.press("ArrowRight");
  await tree.press("ArrowRight");
  await page.waitForURL(/#\/tree\/legs\.left_front/);
});

test("the palette finds a parameter", async () => {
  const page = await mock.open("/net");
  await inNet(page, "pid1").waitFor({ state: "attached" });
  await page.locator("body").press("/");
  await page.keyboard.type("pid2 kd");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/tree\/pid2\.kd/);
});

test("groups open and close in place", async () => {
  const page = await mock.open("/net?system=walker");
  await inNet(page, "legs").waitFor({ state: "attached" });
  expect(await page.locator(".reader button").count()).toBe(3);
  await inNet(page, "legs").dispatchEvent("dblclick");
  await expect.poll(() => page.locator(".reader button").count()).toBe(10);
  await page.getByRole("button", { name: "Open all" }).click();
  await expect.poll(() => page.locator(".reader button").count()).toBe(31);
  await page.getByRole("button", { name: "Close all" }).click();
  await expect.poll(() => page.locator(".reader button").count()).toBe(3);
});

test("a lost connection is shown until it is back", async () => {
  const page = await mock.open("/net");
  await inNet(page, "pid1").waitFor({ state: "attached" });
  await page.evaluate("sinewMock.lose()");
  await expect.poll(() => page.getByRole("status").first().innerText()).toBe("Connection lost. Values are stale; reconnecting…");
  expect(await inNet(page, "pid1").count()).toBe(1); // the page stays
  await page.evaluate("sinewMock.regain()");
  await expect.poll(() => page.getByText("Connection lost").count()).toBe(0);
});

test("a stopped system keeps its last state on the page", async () => {
  const page = await mock.open("/system");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(() => page.locator("main").innerText()).toContain("Ended");
  await expect.poll(() => page.getByRole("status").first().innerText()).toContain("janus has ended");
  await page.locator("body").press("2");
  await expect.poll(() => inNet(page, "pid1").count()).toBe(1);
});

test("the theme is switched and stored", async () => {
  const page = await mock.open("/tree");
  const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
  await expect.poll(theme).toBe("light");
  await page.getByLabel("Switch between light and dark").click();
  expect(await theme()).toBe("dark");
  await page.reload();
  await expect.poll(theme).toBe("dark");
});
