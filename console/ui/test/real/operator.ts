// A person in front of the console: a browser of its own, and what hands do on the pages.
import { expect } from "vitest";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import type { Look } from "../browser";
import type { Run, Site } from "./site";

type PageName = "net" | "tree" | "scope" | "robot" | "panels" | "system";

const patience = { timeout: 10_000 };

/** Errors of a page that say no more than that the line was cut. */
const cutLine = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 401/;

export class Operator {
  /** what the page has complained about, beside a line that was cut */
  readonly errors: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("pageerror", (e) => this.errors.push(e.stack ?? e.message));
    page.on("console", (m) => {
      if (m.type() === "error" && !cutLine.test(m.text())) this.errors.push(m.text());
    });
  }

  /** Opens a console at its address, as after a click in the terminal. */
  static async at(browser: Browser, run: Run, look: Look = {}, address = run.url): Promise<Operator> {
    const context = await browser.newContext({
      viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
      colorScheme: look.dark ? "dark" : "light",
      reducedMotion: "reduce",
    });
    const operator = new Operator(context, await context.newPage());
    operator.page.setDefaultTimeout(10_000);
    await operator.page.goto(address);
    await operator.page.locator("header nav").waitFor();
    return operator;
  }

  /** A second tab of the same browser, at the same page. */
  async secondTab(): Promise<Operator> {
    const tab = new Operator(this.context, await this.context.newPage());
    await tab.page.goto(this.page.url());
    return tab;
  }

  /** Opens a tab at an address and closes it when it is there. */
  async visit(url: string): Promise<void> {
    const tab = await this.context.newPage();
    await tab.goto(url);
    await tab.close();
  }

  /** Drops complaints of the page that had to be. */
  forgive(pattern: RegExp): void {
    this.errors.splice(0, this.errors.length, ...this.errors.filter((e) => !pattern.test(e)));
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.errors).toEqual([]);
  }

  /** Goes to a page of the console. */
  async go(page: PageName, path = "", query = ""): Promise<void> {
    await this.page.evaluate((hash) => (location.hash = hash), `#/${page}${path ? "/" + encodeURIComponent(path) : ""}${query}`);
    await this.page.locator(`header nav a[href="#/${page}"][aria-current=page]`).waitFor();
  }

  /** A block in full, on the page Tree. */
  async block(name: string): Promise<Locator> {
    await this.go("tree", name);
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
    return this.page.locator(".detail");
  }

  /** Sets a parameter as one does by hand: click, type, Enter. */
  async tune(block: string, param: string, value: string): Promise<void> {
    const field = (await this.block(block)).getByLabel(param, { exact: true });
    await field.fill(value);
    await field.press("Enter");
  }

  /** The value of a parameter as the page Tree shows it. */
  param(block: string, param: string): Promise<string> {
    return this.page.locator(`[id="${block}.${param}"]`).inputValue();
  }

  /** The row of a port on the page Tree. */
  port(name: string): Locator {
    return this.page.locator(".detail [role=listitem]").filter({ has: this.page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
  }

  /** Draws signals in the scope. */
  async draw(...refs: string[]): Promise<void> {
    await this.go("scope");
    for (const ref of refs) {
      await this.page.getByLabel("Search signals").fill(ref);
      await this.page.getByRole("button", { name: `Draw ${ref}`, exact: true }).click();
      await this.page.locator(".table tr", { hasText: ref }).first().waitFor();
    }
    await this.page.getByLabel("Search signals").fill("");
  }

  /** A number of the scope's table: NaN where there is none. */
  async measured(trace: string, column: "now" | "min" | "max" | "mean" | "rms"): Promise<number> {
    const row = this.page.locator(".table tbody tr").filter({ has: this.page.locator(`[title="${trace}"]`) });
    const cells = await row.locator("td").allTextContents();
    const text = cells[2 + ["now", "min", "max", "mean", "rms"].indexOf(column)] ?? "";
    return Number(text.replace("−", "-").replace(/[\s\u2009]/g, "") || NaN);
  }

  /** Waits until the quiet bar says something; "" stands for nothing. */
  async isTold(text: string | RegExp): Promise<void> {
    const bar = this.page.locator(".app > .bar[role=status]");
    if (text === "") await expect.poll(() => bar.count(), patience).toBe(0);
    else await expect.poll(() => bar.allTextContents().then((t) => t.join()), patience).toMatch(text);
  }

  /** Waits until a value of the page is as wanted. */
  sees<T>(what: () => Promise<T>) {
    return expect.poll(what, patience);
  }
}

/** Ends everything of a file of tests, whatever has begun; then no page may have complained. */
export async function leave(site: Site, browser: Browser | undefined, ...operators: (Operator | undefined)[]): Promise<void> {
  await browser?.close();
  await site.close();
  expect(operators.flatMap((o) => o?.errors ?? [])).toEqual([]);
}
