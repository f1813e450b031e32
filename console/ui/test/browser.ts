// What tests in a browser share: a server for the built pages, Chromium, and pages that fail on every error of their own.
import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";

const root = new URL("..", import.meta.url).pathname;
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const chromiumArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

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

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: chromiumArgs });
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
}

/** A page of its own whose errors are gathered in `errors`. */
export async function open(browser: Browser, url: string, look: Look = {}): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    colorScheme: look.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (e) => errors.push(e.stack ?? e.message));
  page.on("console", (m) => {
    if (m.type() === "error") errors.push(m.text());
  });
  await page.goto(url);
  return { page, errors };
}

/** Gives a page a gamepad whose stick is where it is said (to the right and downwards); null unplugs it. */
export function plug(page: Page, axes: [number, number] | null): Promise<void> {
  return page.evaluate((a) => {
    const pads = a === null ? [null] : [{ id: "test pad", connected: true, axes: a }];
    navigator.getGamepads = () => pads as unknown as (Gamepad | null)[];
  }, axes);
}
