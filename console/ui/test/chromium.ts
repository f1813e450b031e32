// The Chromium of a stage: it is started once, and each file of tests connects to it and has contexts of its own.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** address of the browser */
    chromium: string;
  }
}

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const desktop = "/usr/bin/chromium";
const shell = "/usr/bin/chromium-headless-shell"; // without the parts of a desktop's browser it opens a page in a third of the processor time

/** Starts the browser, and ends it when all tests are over. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env["CHROMIUM"] ?? (project.name === "browser" && existsSync(shell) ? shell : desktop);
  if (!existsSync(executablePath)) throw new Error(`no Chromium at ${executablePath}: apt-get install chromium, or set CHROMIUM to the path of a Chromium or Chrome`);
  const server = await chromium.launchServer({ executablePath, args });
  project.provide("chromium", server.wsEndpoint());
  return () => server.close();
}
