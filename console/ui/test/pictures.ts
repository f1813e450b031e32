// The pictures of README and docs, taken from the real programs: `make shots` writes docs/img/*.png, and docs/img/pictures.json with the
// digests of the files that each picture shows. A test of internal/docs fails when one of these files has changed since.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "./browser";
import { root } from "./real/build";
import { leave, Operator } from "./real/operator";
import { pause, Site } from "./real/site";

const site = new Site();
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => leave(site, browser));

/** The files and folders that each picture shows. */
const shown: Record<string, string[]> = {
  "plan.png": ["examples/plan/bookshelf.scene", "models/panda/panda.urdf"],
  "console.png": ["examples/walker/walker.yaml", "examples/walker/legs.yaml", "examples/walker/leg.yaml", "examples/walker/body.yaml", "examples/walker/endless.star", "models/walker/walker.urdf"],
  "janus.png": ["examples/janus/janus.yaml", "models/janus"],
};

test("plan.png: the Panda moves from one compartment of a shelf to another", { timeout: 120_000 }, async () => {
  site.copy("models/panda", "examples/plan");
  const ends = ["--start", "-0.19,0.14,-0.07,-1.49,-0.03,2.84,2.55,0.02", "--goal", "0.24,0.19,-0.01,-1.36,-0.02,2.86,-0.76,0.02"];
  const run = await site.start(["plan", "models/panda/panda.urdf", "--scene", "examples/plan/bookshelf.scene", "--console", ...ends]);
  const operator = await Operator.at(browser, run, { width: 1280, height: 800 });
  const { page } = operator;
  await operator.sees(() => page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/proved|sampled/);
  const view = await page.locator(".stage canvas").boundingBox();
  if (view === null) throw new Error("the page Plan shows no picture");
  await page.mouse.move(view.x + 200, view.y + 600);
  await page.mouse.down();
  await page.mouse.move(view.x + 330, view.y + 570, { steps: 10 }); // so that the shelf is seen from the side of the arm
  await page.mouse.up();
  await page.getByRole("slider", { name: "Time of the motion" }).fill("1.4");
  await pause(4_000);
  await page.screenshot({ path: picture("plan.png") });
});

test("console.png: the walker in the cockpit", { timeout: 120_000 }, async () => {
  site.copy("models/walker", "examples/walker");
  const run = await site.start(["run", "examples/walker/walker.yaml", "--script", "examples/walker/endless.star", "--console", "--quiet"], "walker");
  const operator = await Operator.at(browser, run, { width: 1280, height: 800 });
  await operator.go("cockpit");
  for (let hints = 3; hints > 0; hints--) await operator.page.getByRole("button", { name: /^Dismiss: / }).first().click();
  await operator.page.mouse.move(830, 22);
  await pause(20_000); // until it walks and the traces are full
  await operator.page.screenshot({ path: picture("console.png") });
});

test("janus.png: Janus follows six commanded moves", { timeout: 120_000 }, async () => {
  site.copy("models/janus", "examples/janus");
  const log = join(site.folder, "janus.mcap");
  await site.sinew("run", "examples/janus/janus.yaml", "--fast", "--quiet", "--record", log);
  await site.sinew("plot", log, "controller.ref1", "controller.ref2", "joint?.position", "joint?.voltage_actuator", "--title", "Janus: six moves under two PIDs", "-o", picture("janus.png"));
});

test("the files that the pictures show", () => {
  const digests = Object.fromEntries(Object.entries(shown).map(([name, paths]) => [name, Object.fromEntries(paths.flatMap(files).map((f) => [f, digest(f)]))]));
  writeFileSync(picture("pictures.json"), JSON.stringify(digests, null, 2) + "\n");
});

function picture(name: string): string {
  return join(root, "docs/img", name);
}

/** Returns a file, or all files of a folder, relative to the repository. */
function files(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((f) => files(`${path}/${f}`));
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(join(root, path))).digest("hex");
}
