// Screenshots in shots/ of what the simulated console has not: the page Plan, and pages of running systems. See shots.ts.
import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "./browser";
import { fileOf, folder, isWanted, looks } from "./looks";
import { leave, Operator } from "./real/operator";
import { pause, Site, type Run } from "./real/site";

interface RealShot {
  name: string;
  /** starts what the picture shows */
  start: () => Promise<Run>;
  /** the address after the # */
  at: string;
  /** actions before the screenshot */
  first?: (operator: Operator) => Promise<void>;
}

const site = new Site();
let browser: Browser;

const shelf = ["--start", "-0.19,0.14,-0.07,-1.49,-0.03,2.84,2.55,0.02", "--goal", "0.24,0.19,-0.01,-1.36,-0.02,2.86,-0.76,0.02"];
const crash = ["--start", "-0.19,0.14,-0.07,-1.49,-0.03,2.84,2.55,0.02", "--goal", "0.24,1.2,-0.01,-1.36,-0.02,2.86,-0.76,0.02"];

const runs = {
  shelf: () => site.start(["plan", "models/panda/panda.urdf", "--scene", "examples/plan/bookshelf.scene", "--console", ...shelf]),
  crash: () => site.start(["plan", "models/panda/panda.urdf", "--scene", "examples/plan/bookshelf.scene", "--console", ...crash]),
  program: () => site.run(site.system("examples/arm/program.yaml", site.read("examples/arm/program.yaml"))),
  walker: () => site.start(["run", site.system("examples/walker/walker.yaml", site.read("examples/walker/walker.yaml")), "--script", "examples/walker/endless.star", "--console", "--quiet"], "walker"),
};

const inProgram = async ({ page }: Operator): Promise<void> => {
  await page.getByRole("button", { name: "Program", exact: true }).click();
  await page.getByRole("slider", { name: "Time in the program" }).waitFor();
};

const shots: RealShot[] = [
  { name: "plan-shelf", start: runs.shelf, at: "#/plan", first: async ({ page }) => page.getByRole("slider", { name: "Time of the motion" }).fill("1.4") },
  { name: "plan-obstacle", start: runs.shelf, at: "#/plan", first: async ({ page }) => (await page.getByRole("button", { name: "+ Box" }).click(), await page.getByText("Held joints").click()) },
  { name: "plan-collision", start: runs.crash, at: "#/plan" },
  { name: "plan-program", start: runs.program, at: "#/plan", first: inProgram },
  {
    name: "plan-program-point",
    start: runs.program,
    at: "#/plan",
    first: async (o) => {
      await inProgram(o);
      await o.page.getByRole("button", { name: /^move 5 / }).click();
      await o.page.getByText("Text", { exact: true }).click();
    },
  },
  { name: "plan-live", start: runs.program, at: "#/plan" },
  { name: "walker-cockpit", start: runs.walker, at: "#/cockpit" },
  { name: "walker-robot", start: runs.walker, at: "#/robot" },
  { name: "walker-tree", start: runs.walker, at: "#/tree" },
  { name: "walker-net", start: runs.walker, at: "#/net" },
  { name: "walker-system", start: runs.walker, at: "#/system" },
];

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  site.copy("models/panda", "models/ur5", "models/walker", "examples/arm", "examples/plan", "examples/walker");
  browser = await launch();
});
afterAll(() => leave(site, browser));

const started = new Map<() => Promise<Run>, Promise<Run>>();

for (const shot of shots.filter((s) => isWanted(s.name))) {
  test(shot.name, { timeout: 180_000 }, async () => {
    if (!started.has(shot.start)) started.set(shot.start, shot.start());
    const run = await started.get(shot.start);
    if (run === undefined) return;
    for (const look of looks) {
      const operator = await Operator.at(browser, run, look);
      await operator.page.evaluate((hash) => (location.hash = hash), shot.at);
      await pause(4000);
      await shot.first?.(operator);
      await pause(1500);
      await operator.page.screenshot({ path: fileOf(shot.name, look) });
      await operator.close();
    }
  });
}
