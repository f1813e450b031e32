// Dialogs between the key Esc and the event `close`, which the browser sends a task later: what opens a dialog opens it again.
import { readdir, readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
const src = new URL("../src/", import.meta.url).pathname;

/** Opens a dialog: a key that every page has, or a button. */
type Opener = { key: string; code?: string; alt?: boolean } | { button: string };

const dialogs: [name: string, at: string, opener: Opener][] = [
  ["Keys", "/tree", { key: "?" }],
  ["Stop janus?", "/tree", { key: "s", code: "KeyS", alt: true }],
  ["Restart janus?", "/system", { button: "Restart…" }],
  ["Save tuned values", "/system", { button: "Save tuned values…" }],
  ["Share the last minutes", "/tree", { button: "Share" }],
  ["Save workspace", "/robot|scope", { button: "Save workspace…" }],
  ["Recorded logs of janus", "/scope", { key: "o" }],
];

test.each(dialogs)("%s opens again at once", async (name, at, opener) => {
  const page = await mock.open(`${at}?system=janus`);
  await page.locator("header nav").waitFor();
  const dialog = page.getByRole("dialog", { name });
  await open(page, opener, dialog);
  await dialog.evaluate(reopen, opener);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate(() => document.body.dataset["closed"])).toBe("yes");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
});

const saving: [name: string, at: string, opener: Opener, save: string, method: string, notice: string][] = [
  ["Save tuned values", "/system", { button: "Save tuned values…" }, "Save", "save", "Tuned values saved."],
  ["Share the last minutes", "/tree", { button: "Share" }, "Save page", "share", "Saved janus.html"],
  ["Save workspace", "/robot|scope", { button: "Save workspace…" }, "Save", "panels.put", "Workspace mine saved."],
];

test.each(saving)("%s stays open when a save that it began before it was closed and opened again ends", async (name, at, opener, save, method, notice) => {
  const page = await mock.open(`${at}?system=janus`);
  let shared = (): void => undefined;
  const sharing = new Promise<void>((done) => (shared = done));
  await page.route("**/share?*", (route) => sharing.then(() => route.fulfill({ body: "<!doctype html>" })));
  const dialog = page.getByRole("dialog", { name });
  await open(page, opener, dialog);
  if (method === "panels.put") await dialog.getByLabel("Name of the workspace").fill("mine");
  await dialog.getByRole("button", { name: save, exact: true }).waitFor();
  const end = await page.evaluateHandle((m) => (window as unknown as { sinewMock: { hold(method: string): () => void } }).sinewMock.hold(m), method);
  await dialog.getByRole("button", { name: save, exact: true }).click();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
  await open(page, opener, dialog);
  await end.evaluate((go) => go());
  shared();
  await page.getByText(notice).waitFor();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await dialog.count()).toBe(1);
});

test("a dialog that closes gives the focus back", async () => {
  const page = await mock.open("/tree?system=janus");
  const share = page.getByRole("button", { name: "Share", exact: true });
  await expect.poll(() => share.isEnabled()).toBe(true);
  for (const close of [() => page.keyboard.press("Escape"), () => page.getByRole("button", { name: "Cancel" }).click()]) {
    await share.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await close();
    await expect.poll(() => share.evaluate((b) => b === document.activeElement)).toBe(true);
  }
});

test("every dialog is opened by modal", async () => {
  const names = (await readdir(src, { recursive: true })).filter((f) => f.endsWith(".svelte"));
  const opened = await Promise.all(names.map(async (f) => (await readFile(src + f, "utf8")).match(/<dialog[^]*?>\n/)?.[0] ?? ""));
  const found = opened.filter((d) => d !== "");
  expect(found.length).toBeGreaterThanOrEqual(dialogs.length - 1); // Stop and Restart share one
  expect(found.filter((d) => !d.includes("{@attach modal("))).toEqual([]);
});

async function open(page: Page, opener: Opener, dialog: Locator): Promise<void> {
  if ("button" in opener) await page.getByRole("button", { name: opener.button, exact: true }).click();
  else await page.locator("body").press(`${opener.alt ? "Alt+" : ""}${opener.key}`);
  await dialog.waitFor();
}

/** Runs in the page: when the dialog is asked to close, and before its event `close`, uses what opens it. */
function reopen(dialog: Element, opener: Opener): void {
  dialog.addEventListener("cancel", () => {
    queueMicrotask(() => {
      if ("button" in opener) [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === opener.button)?.click();
      else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: opener.key, code: opener.code ?? "", altKey: opener.alt ?? false, bubbles: true }));
    });
    setTimeout(() => setTimeout(() => (document.body.dataset["closed"] = "yes")));
  }, { once: true });
}
