// The gallery of docs/gallery.md, as Fig. 8 of the Robotics Library's paper: `make shots` opens each problem on the page Plan, halfway on its planned motion, and
// writes docs/img/gallery-*.jpg with the digests of their files. Robots and problems lie beside the repository, in ../shared/data.
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "./browser";
import { root } from "./real/build";
import { leave, Operator } from "./real/operator";
import { pause, Site } from "./real/site";

const data = join(root, "../shared/data");
const site = new Site();
let browser: Browser;

/** Each picture: the file of the problem, or of the first one in a set, the robot of a set, and the planner where the file names none or another one. */
const pictures: { name: string; file: string; robot?: string; planner?: string }[] = [
  { name: "puma-model", file: "rl/rlplan/unimation-puma560_boxes_prm.mdl.xml" },
  { name: "puma-kinematics", file: "rl/rlplan/unimation-puma560_boxes_rrtConCon.xml" },
  { name: "maze-eet", file: "rl/rlplan/box-6d-300505_maze_prm.mdl.sixDof.xml", planner: "eet" },
  { name: "maze-connect", file: "rl/rlplan/box-6d-300505_maze_rrtConCon.mdl.sixDof.xml", planner: "rrt-connect" },
  ...["bookshelf_small", "box", "cage", "table_under_pick"].map((set) => ({ name: `panda-${set}`, file: `planning/panda/${set}.json`, robot: "planning/robots/panda.json" })),
  ...["bookshelf_tall", "cage", "table_pick"].map((set) => ({ name: `ur5-${set}`, file: `planning/ur5/${set}.json`, robot: "planning/robots/ur5.json" })),
  ...["table_pick"].map((set) => ({ name: `fetch-${set}`, file: `planning/fetch/${set}.json`, robot: "planning/robots/fetch.json" })),
];

/** Problems whose obstacles would hide the robot: they are seen from the side of the robot. */
const behind = /^panda-(bookshelf|cage|box)|^ur5-bookshelf/;

const absent = !existsSync(data);
if (absent) console.warn(`SKIPPED: the pictures of docs/gallery.md: there is no ${data}`);

beforeAll(async () => {
  if (!absent) for (const folder of ["rl", "planning"]) cpSync(join(data, folder), join(site.folder, folder), { recursive: true });
  browser = await launch();
});
afterAll(() => leave(site, browser));

for (const p of pictures) {
  test.skipIf(absent)(p.name, { timeout: 120_000 }, async () => {
    const run = await site.start(["plan", p.file, "--console", ...(p.robot ? ["--robot", p.robot] : []), ...(p.planner ? ["--planner", p.planner] : [])]);
    const operator = await Operator.at(browser, run, { width: 900, height: 560 });
    const { page } = operator;
    await operator.sees(() => page.getByRole("status", { name: "Plan" }).innerText()).toMatch(/planned in|proved|sampled/);
    const time = page.getByRole("slider", { name: "Time of the motion" });
    if ((await time.count()) > 0) await time.fill(String(Number(await time.getAttribute("max")) / 2));
    await time.blur();
    const view = await page.locator(".stage canvas").boundingBox();
    if (view !== null && behind.test(p.name)) {
      await page.mouse.move(view.x + 60, view.y + 330);
      await page.mouse.down();
      await page.mouse.move(view.x + 330, view.y + 320, { steps: 10 });
      await page.mouse.up();
    }
    await pause(1_500);
    await page.locator(".stage canvas").screenshot({ path: join(root, "docs/img", `gallery-${p.name}.jpg`), type: "jpeg", quality: 72 });
    await page.context().close();
  });
}

test.skipIf(absent)("the files that the pictures show", () => {
  const digests = Object.fromEntries(pictures.map((p) => [`gallery-${p.name}.jpg`, Object.fromEntries([p.file, ...(p.robot ? [p.robot] : named(p.file))].map((f) => [f, digest(f)]))]));
  writeFileSync(join(root, "docs/img/gallery.json"), JSON.stringify(digests, null, 2) + "\n");
});

/** Returns the files that a scenario names, and those that they name; one whose name differs in case is left out. */
function named(file: string): string[] {
  const found = [...readFileSync(join(data, file), "utf8").matchAll(/href="([^"]+\.(?:xml|wrl))"/g)].map((m) => join(dirname(file), m[1] ?? ""));
  const here = [...new Set(found)].filter((f) => existsSync(join(data, f)));
  return [...new Set(here.flatMap((f) => [f, ...(f.endsWith(".xml") ? named(f) : [])]))];
}

function digest(file: string): string {
  return createHash("sha256").update(readFileSync(join(data, file))).digest("hex");
}
