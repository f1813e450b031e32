// An operator of the console: a separate browser context, and actions on the pages.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect } from "vitest";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { contextOptions, type PageOptions } from "../browser";
import { patience } from "../patience";
import { pause, type Run, type Site } from "./site";

type PageName = "cockpit" | "net" | "tree" | "scope" | "robot" | "panels" | "system" | "tune" | "plan";

/** Browser errors that are caused only by a lost connection: another server may have taken its port. */
const connectionErrors = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 401|status of 404.*\/api\/session$/;

const present = new Set<Operator>();

/** Runs in a page: its bad notices go to the browser's console as warnings. */
function reportRefusals(): void {
  let last = "";
  new MutationObserver(() => {
    const text = document.querySelector(".notice.bad span")?.textContent ?? "";
    if (text !== last && text !== "") console.warn(text);
    last = text;
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

// A failed test reports the bad notices of its pages: they are gone by then.
afterEach(({ task }) => {
  const said = [...present].flatMap((o) => o.refusals.splice(0).map((text) => `${new URL(o.page.url()).hash}: ${text}`));
  const failure = task.result?.errors?.[0];
  if (failure && said.length > 0) failure.message += `\nNotices of the pages:\n${said.join("\n")}`;
});

export class Operator {
  /** errors of the page except those of a lost connection */
  readonly errors: string[] = [];
  /** bad notices of the page since the test began, with their times */
  readonly refusals: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("pageerror", (e) => this.errors.push(e.stack ?? e.message));
    page.on("console", (m) => {
      const text = `${m.text()} ${m.location().url}`.trim();
      if (m.type() === "error" && !connectionErrors.test(text)) this.errors.push(text);
      if (m.type() === "warning") this.refusals.push(`${new Date().toISOString()} ${m.text()}`);
    });
    present.add(this);
    page.on("close", () => present.delete(this));
  }

  /** Opens a console at its printed address. */
  static async at(browser: Browser, run: Run, options: PageOptions = {}, address = run.url): Promise<Operator> {
    const context = await browser.newContext(contextOptions(options));
    context.setDefaultTimeout(patience);
    const operator = new Operator(context, await context.newPage());
    await operator.page.addInitScript(reportRefusals);
    if (options.script) await operator.page.addInitScript(options.script);
    await operator.page.goto(address);
    await operator.page.locator("header nav").waitFor();
    return operator;
  }

  /** Opens the same page in a second tab. */
  async secondTab(): Promise<Operator> {
    const tab = new Operator(this.context, await this.context.newPage());
    await tab.page.goto(this.page.url());
    return tab;
  }

  /** Opens an address in a new tab and closes the tab after loading. */
  async visit(url: string): Promise<void> {
    const tab = await this.context.newPage();
    await tab.goto(url);
    await tab.close();
  }

  /** Reloads everything in the browser, as at its first visit. */
  async emptyCache(): Promise<void> {
    const session = await this.context.newCDPSession(this.page);
    await session.send("Network.clearBrowserCache");
    await session.detach();
  }

  /** Drops expected errors of the page. */
  ignoreErrors(pattern: RegExp): void {
    this.errors.splice(0, this.errors.length, ...this.errors.filter((e) => !pattern.test(e)));
  }

  /** Kills the process of the page, with all its scripts. */
  async crash(): Promise<void> {
    const session = await this.context.newCDPSession(this.page);
    const crashed = this.page.waitForEvent("crash");
    session.send("Page.crash").catch(() => undefined); // a dead page does not answer
    await crashed;
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.errors).toEqual([]);
  }

  /** Opens a page of the console. */
  async go(page: PageName, path = "", query = ""): Promise<void> {
    await this.page.evaluate((hash) => (location.hash = hash), `#/${page}${path ? "/" + encodeURIComponent(path) : ""}${query}`);
    await this.page.locator(`header nav a[href="#/${page}"][aria-current=page]`).waitFor();
  }

  /** Opens a block on the page Tree. */
  async block(name: string): Promise<Locator> {
    await this.go("tree", name);
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
    return this.page.locator(".detail");
  }

  /** Sets a parameter on the page Tree. */
  async tune(block: string, param: string, value: string): Promise<void> {
    const field = (await this.block(block)).getByLabel(param, { exact: true });
    await field.fill(value);
    await field.press("Enter");
  }

  /** Returns the value of a parameter shown on the page Tree. */
  param(block: string, param: string): Promise<string> {
    return this.page.locator(`[id="${block}.${param}"]`).inputValue();
  }

  /** Returns the row of a port on the page Tree. */
  port(name: string): Locator {
    return this.page.locator(".detail [role=listitem]").filter({ has: this.page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
  }

  /** Restarts the system: Restart, or Save and restart, on the page shown, and the confirmation. */
  async restart(): Promise<void> {
    await this.page.getByRole("button", { name: /[Rr]estart…$/ }).click();
    await this.page.getByRole("dialog").getByRole("button", { name: /[Rr]estart$/ }).click();
  }

  /** Returns the button of the strip with a text, such as "1 held". */
  strip(text: string | RegExp): Locator {
    return this.page.locator(".strip").getByRole("button", { name: text, exact: true });
  }

  /** Adds signals to the scope. */
  async draw(...refs: string[]): Promise<void> {
    await this.go("scope");
    for (const ref of refs) {
      await this.page.getByLabel("Search signals").fill(ref);
      await this.page.getByRole("button", { name: `Draw ${ref}`, exact: true }).click();
      await this.page.locator(".table tr", { hasText: ref }).first().waitFor();
    }
    await this.page.getByLabel("Search signals").fill("");
  }

  /** Returns a number of the scope's table; NaN if it is empty. */
  async measured(trace: string, column: "now" | "min" | "max" | "mean" | "rms"): Promise<number> {
    const row = this.page.locator(".table tbody tr").filter({ has: this.page.locator(`[title="${trace}"]`) });
    const cells = await row.locator("td").allTextContents();
    const text = cells[2 + ["now", "min", "max", "mean", "rms"].indexOf(column)] ?? "";
    return Number(text.replace("−", "-").replace(/[\s\u2009]/g, "") || NaN);
  }

  /** Waits until the connection bar shows a text; "" waits until the bar is gone. */
  async seesBar(text: string | RegExp): Promise<void> {
    const bar = this.page.locator(".app > .bar[role=status]");
    if (text === "") await expect.poll(() => bar.count()).toBe(0);
    else await expect.poll(() => bar.allTextContents().then((t) => t.join())).toMatch(text);
  }

  /** Moves the time bar to a time in s of the system. */
  async scrub(time: number): Promise<void> {
    await this.page.getByLabel("Time shown").evaluate((input, value) => {
      (input as HTMLInputElement).value = String(value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, time);
  }

  /** Returns the newest time of the time bar, in s of the system, once there are at least some seconds before it. */
  async end(least: number): Promise<number> {
    const bound = async (name: "min" | "max"): Promise<number> => Number(await this.page.getByLabel("Time shown").getAttribute(name));
    await expect.poll(async () => (await bound("max")) - (await bound("min"))).toBeGreaterThan(least);
    return bound("max");
  }

  /** Saves the last minutes with the button Share in a folder, and opens the saved page. */
  async share(folder: string): Promise<Page> {
    await this.page.getByRole("button", { name: "Share", exact: true }).click();
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.getByRole("button", { name: "Save page" }).click()]);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    const saved = await this.context.newPage();
    await saved.goto(pathToFileURL(file).href);
    return saved;
  }

  /** Polls a value of the page with an expectation. */
  sees<T>(what: () => Promise<T>) {
    return expect.poll(what);
  }
}

/** Waits until something is there and stays the same, and returns it: a busy page draws late. */
export async function stands<T>(read: () => Promise<T | null>, ms = 700): Promise<T> {
  let last = await read();
  await expect.poll(async () => {
    const before = JSON.stringify(last);
    await pause(ms);
    last = await read();
    return last !== null && JSON.stringify(last) === before;
  }).toBe(true);
  return last as T;
}

/** Ends everything that a test file has started, and fails if a page has reported errors. */
export async function leave(site: Site, browser: Browser | undefined, ...operators: (Operator | undefined)[]): Promise<void> {
  await browser?.close();
  await site.close();
  expect(operators.flatMap((o) => o?.errors ?? [])).toEqual([]);
}
