// Shared by the browser tests: a server for the built pages, Chromium, and pages that collect their errors.
import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { buffer } from "node:stream/consumers";
import { chromium, type Browser, type BrowserContextOptions, type Download, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { patience } from "./patience";

const root = new URL("..", import.meta.url).pathname;
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Serves a folder of built pages on a free port. */
export async function serve(folder: string): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    const file = join(root, folder, path === "/" ? "index.html" : path);
    readFile(file)
      .then((data) => response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(data))
      .catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Connects to the browser of the stage. Closing it closes the pages opened here, not the browser itself. */
export function launch(): Promise<Browser> {
  return chromium.connect(inject("chromium"));
}

export interface PageOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** runs in the page before its own scripts */
  script?: () => void;
  /** a screen that is touched, without a mouse */
  touch?: boolean;
}

/** Returns the options of the browser's context for a page. */
export function contextOptions(options: PageOptions): BrowserContextOptions {
  return {
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: "reduce",
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
  };
}

/** Opens a page in a new context; its errors are collected in `errors`. */
export async function open(browser: Browser, url: string, options: PageOptions = {}): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext(contextOptions(options));
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  if (options.script) await page.addInitScript(options.script);
  const errors: string[] = [];
  page.on("pageerror", (e) => errors.push(e.stack ?? e.message));
  page.on("console", (m) => {
    if (m.type() === "error") errors.push(m.text());
  });
  await page.goto(url);
  return { page, errors };
}

/**
 * Opens pages of the simulated console for the tests of a file. After each test its pages are closed; the test fails if one of them has
 * reported an error. Needs `npm run build:mock`.
 */
export function mockConsole(): { open(at: string, options?: PageOptions & { role?: string }): Promise<Page> } {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;
  const opened: Awaited<ReturnType<typeof open>>[] = [];

  beforeAll(async () => {
    server = await serve("dist-mock");
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });
  afterEach(async () => {
    const all = opened.splice(0);
    await Promise.all(all.map(({ page }) => page.context().close()));
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  });

  return {
    async open(at, { role, ...options } = {}) {
      const one = await open(browser, `${server.url}/?mock${role ? `&role=${role}` : ""}#${at}`, options);
      opened.push(one);
      return one.page;
    },
  };
}

/** Returns the content of a file that a page has saved. */
export async function content(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

/** Connects a gamepad with its stick at the given axes (right, down); null disconnects it. */
export function plug(page: Page, axes: [number, number] | null): Promise<void> {
  return page.evaluate((a) => {
    const pads = a === null ? [null] : [{ id: "test pad", connected: true, axes: a }];
    navigator.getGamepads = () => pads as unknown as (Gamepad | null)[];
  }, axes);
}
