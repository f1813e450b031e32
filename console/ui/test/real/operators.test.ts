// Several operators at one console: each sees the others' changes, and can do what the role allows.
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

const viewToken = "a-token-for-the-role-view-only";

beforeAll(async () => {
  let b: Browser;
  chmodSync(site.write("examples/janus/eve.token", viewToken), 0o600);
  const file = site.janus((text) => `${text}\nusers:\n  eve: {role: view, token: eve.token}\n`);
  [run, b] = await Promise.all([site.run(file), launch()]);
  browser = b;
  [anna, ben] = await Promise.all([Operator.at(browser, run), Operator.at(browser, run)]);
});
afterAll(() => leave(site, browser, anna, ben));

test("a gain set by one operator is shown to the other", async () => {
  await Promise.all([anna.block("pid1"), ben.block("pid1")]);
  await anna.sees(() => anna.param("pid1", "kp")).toBe("80");
  await ben.tune("pid1", "kp", "72");
  await anna.sees(() => anna.param("pid1", "kp")).toBe("72");
});

test("an override by one operator is shown to the other one, and can be released there", async () => {
  await ben.port("ref").getByRole("button", { name: "Override pid1.ref" }).click();
  await ben.port("ref").getByLabel("Value for pid1.ref").fill("0.5");
  await ben.port("ref").getByRole("button", { name: "Set" }).click();
  await anna.sees(() => anna.port("ref").textContent()).toContain("overridden");
  await anna.port("ref").getByRole("button", { name: "Release" }).click();
  await ben.sees(() => ben.port("ref").textContent()).not.toContain("overridden");
});

test("an override is shown after a reload", async () => {
  await anna.port("ref").getByRole("button", { name: "Override pid1.ref" }).click();
  await anna.port("ref").getByRole("button", { name: "Set" }).click();
  await anna.sees(() => anna.port("ref").textContent()).toContain("overridden");
  await ben.page.reload();
  await ben.sees(() => ben.port("ref").textContent()).toContain("overridden");
  await ben.port("ref").getByRole("button", { name: "Release" }).click();
});

/** Sets kp of pid1 in the editor that is open. */
async function edit(operator: Operator, gain: string): Promise<void> {
  await operator.page.getByRole("button", { name: "pid1", exact: true }).focus();
  await operator.page.keyboard.press("Enter");
  const field = operator.page.locator("aside .row", { hasText: "kp" }).locator("input");
  await field.fill(gain);
  await field.press("Enter");
}

const saved = (): Promise<string> => Promise.resolve(site.read("examples/janus/janus.yaml"));

test("a file that another operator has changed is compared and overwritten only on request", async () => {
  const [annas, bens] = ["70", "62"]; // no other block has them
  await Promise.all([anna.go("net", "", "?edit=1"), ben.go("net", "", "?edit=1")]);
  await edit(anna, annas);
  await edit(ben, bens);
  await anna.page.getByRole("button", { name: "Save", exact: true }).click();
  await anna.sees(saved).toContain(`kp: ${annas}`);
  await ben.page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = ben.page.getByRole("dialog", { name: "Changed on disk" });
  await dialog.getByRole("button", { name: "Compare" }).click();
  await ben.sees(() => dialog.locator("pre .gone").textContent()).toContain(`kp: ${annas}`);
  expect(await dialog.locator("pre .added").textContent()).toContain(`kp: ${bens}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(site.read("examples/janus/janus.yaml")).toContain(`kp: ${annas}`);
  await ben.page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("button", { name: "Overwrite" }).click();
  await ben.sees(saved).toContain(`kp: ${bens}`);
  expect(await dialog.count()).toBe(0);
});

test("Save and restart asks first, then saves the file and runs it", async () => {
  await anna.page.locator(".state").getByText("Saved", { exact: true }).waitFor(); // what the page takes for unsaved would be restored
  await anna.page.reload();
  await edit(anna, "65");
  const ask = anna.page.getByRole("button", { name: "Save and restart…" });
  const question = anna.page.getByRole("dialog", { name: /^Save and restart janus/ });
  await ask.click();
  await anna.sees(() => question.innerText()).toContain("Tuned values that are not saved are lost");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await saved()).toContain("kp: 62");
  await ask.click();
  await question.getByRole("button", { name: "Save and restart" }).click();
  await anna.sees(saved).toContain("kp: 65");
  await ben.block("pid1");
  await ben.sees(() => ben.param("pid1", "kp")).toBe("65");
});

test("Save and restart of a file that another operator has changed neither saves nor restarts", async () => {
  await anna.page.getByRole("button", { name: "Restart…" }).waitFor();
  await edit(anna, "45");
  site.write("examples/janus/janus.yaml", (await saved()).replace("kp: 65", "kp: 55"));
  await ben.tune("pid1", "ki", "7"); // a restart would lose it
  await anna.page.getByRole("button", { name: "Save and restart…" }).click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Save and restart" }).click();
  const conflict = anna.page.getByRole("dialog", { name: "Changed on disk" });
  await conflict.getByRole("button", { name: "Cancel" }).click();
  await anna.sees(() => conflict.count()).toBe(0);
  expect(await saved()).toContain("kp: 55");
  await ben.page.reload();
  await ben.sees(() => ben.param("pid1", "ki")).toBe("7");
  expect(await ben.param("pid1", "kp")).toBe("65");
  await anna.page.getByRole("button", { name: "Discard" }).click();
});

test("a panel that another operator has changed is compared, reloaded or overwritten", async () => {
  const path = "examples/janus/panels/main.yaml";
  site.write(path, "title: start\nwidgets: []\n");
  await Promise.all([anna.go("panels", "main"), ben.go("panels", "main")]);
  const rename = async (operator: Operator, title: string): Promise<void> => {
    await operator.page.getByLabel("Panel title").fill(title);
    await operator.page.getByLabel("Panel title").press("Enter");
    await operator.page.keyboard.press("Control+s");
  };
  for (const operator of [anna, ben]) {
    await operator.page.getByRole("button", { name: "Edit", exact: true }).first().click();
  }
  await rename(anna, "by anna");
  await anna.sees(() => Promise.resolve(site.read(path))).toContain("by anna");
  await rename(ben, "by ben");
  const dialog = ben.page.getByRole("dialog", { name: "Changed on disk" });
  await dialog.getByRole("button", { name: "Compare" }).click();
  await ben.sees(() => dialog.locator("pre .gone").textContent()).toContain("by anna");
  expect(await dialog.locator("pre .added").textContent()).toContain("by ben");
  expect(site.read(path)).toContain("by anna");
  await dialog.getByRole("button", { name: "Reload" }).click();
  await ben.sees(() => ben.page.getByLabel("Panel title").inputValue()).toBe("by anna");

  site.write(path, "title: by a program\nwidgets: []\n");
  await rename(ben, "by ben again");
  await dialog.getByRole("button", { name: "Overwrite" }).click();
  await ben.sees(() => Promise.resolve(site.read(path))).toContain("by ben again");
  await ben.page.getByRole("button", { name: "Done" }).click();
  await anna.page.reload();
});

test("controls without the required role are disabled with a reason", async () => {
  const eve = await Operator.at(browser, run, {}, `${run.origin}/?token=${viewToken}`);
  const { page } = eve;
  expect(await page.locator(".user").textContent()).toBe("eveview");
  const detail = await eve.block("pid1");
  await eve.sees(() => eve.port("out").locator(".num").textContent()).toMatch(/\d/);
  expect(await detail.getByLabel("kp", { exact: true }).getAttribute("readonly")).not.toBeNull();
  const disabled = async (buttons: Locator, why: string): Promise<void> => {
    for (const b of await buttons.all()) expect([await b.isDisabled(), await b.getAttribute("title")]).toEqual([true, why]);
    expect(await buttons.count()).toBeGreaterThan(0);
  };
  await disabled(detail.getByRole("button", { name: /Disable|Override|Release/ }), "Needs the drive role; yours is view");
  await eve.go("system");
  await disabled(page.getByRole("button", { name: /^(Stop|Restart)/ }), "Needs the drive role; yours is view");
  await eve.go("net");
  expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
  await eve.close();
});
