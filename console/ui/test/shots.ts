// Pictures of every page in shots/: both colour schemes, two sizes. `npm run build:mock && npm run shots`; SHOTS=net,tree takes some only.
import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { launch, open, serve } from "./browser";

interface Shot {
  name: string;
  /** the address behind the #, with the system in front of it */
  at: string;
  system?: string;
  /** what is done before the picture */
  first?: (page: Page) => Promise<void>;
}

const shots: Shot[] = [
  { name: "net", at: "/net" },
  { name: "net-block", at: "/net/pid1" },
  { name: "net-walker", at: "/net", system: "walker" },
  { name: "net-plant", at: "/net", system: "plant" },
  { name: "net-edit", at: "/net?edit=1" },
  { name: "net-edit-group", at: "/net?edit=1", first: group },
  { name: "net-edit-walker", at: "/net?edit=1", system: "walker" },
  { name: "net-edit-plant", at: "/net?edit=1", system: "plant" },
  { name: "tree", at: "/tree/joint1" },
  { name: "scope", at: "/scope", first: draw },
  { name: "scope-logs", at: "/scope", first: async (p) => p.keyboard.press("o") },
  { name: "scope-log", at: "/scope", first: async (p) => (await draw(p), await p.keyboard.press("o"), await p.getByRole("button", { name: /^janus\.mcap/ }).click()) },
  { name: "robot", at: "/robot" },
  { name: "panels", at: "/panels" },
  { name: "system", at: "/system" },
  { name: "palette", at: "/tree/pid1", first: async (p) => (await p.keyboard.press("Control+k"), await p.keyboard.type("pid1 k")) },
];

/** Some signals in the scope, for a while. */
async function draw(p: Page): Promise<void> {
  for (const name of ["joint1.position", "joint2.position", "pid1.out"]) {
    await p.getByLabel("Search signals").fill(name);
    await p.getByRole("button", { name: `Draw ${name}`, exact: true }).click();
  }
  await p.getByLabel("Search signals").fill("");
  await p.getByLabel("Span of time").selectOption("5");
  await p.waitForTimeout(2000);
}

/** The controller of Janus becomes a group. */
async function group(p: Page): Promise<void> {
  for (const [i, name] of ["controller", "pid1", "pid2"].entries()) {
    await p.locator(".reader button", { hasText: new RegExp(`^${name}$`) }).dispatchEvent("click", { shiftKey: i > 0 });
  }
  await p.keyboard.press("g");
  await p.getByLabel("Name of the group").waitFor();
  await p.keyboard.type("control");
  await p.keyboard.press("Enter");
}

const wanted = process.env["SHOTS"]?.split(",");
const folder = new URL("../shots/", import.meta.url).pathname;
let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  server = await serve("dist-mock");
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

for (const shot of shots.filter((s) => !wanted || wanted.some((w) => s.name === w || s.name.startsWith(w + "-")))) {
  test(shot.name, { timeout: 120_000 }, async () => {
    for (const [width, height, dark] of [
      [1440, 900, false],
      [1280, 720, true],
      ...(process.env["ALL"] ? ([[1440, 900, true], [1280, 720, false]] as const) : []),
    ] as const) {
      const system = shot.system ?? "janus";
      const { page, errors } = await open(browser, `${server.url}/?mock#${shot.at}${shot.at.includes("?") ? "&" : "?"}system=${system}`, { width, height, dark });
      await page.waitForTimeout(2500);
      await shot.first?.(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}${shot.name}-${width}-${dark ? "dark" : "light"}.png` });
      if (errors.length > 0) console.log(shot.name, errors);
      await page.context().close();
    }
  });
}
