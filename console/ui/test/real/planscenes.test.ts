// The page Plan opens what files describe: a scenario, problems, meshes and clouds; two panes have plans of their own.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site } from "./site";

const site = new Site();
let browser: Browser;
const operators: Operator[] = [];

beforeAll(async () => {
  site.copy("examples/plan");
  site.write("examples/plan/pyramid.yaml", pyramid);
  browser = await launch();
});
afterAll(() => leave(site, browser, ...operators));

/** Opens the page of a command `sinew plan … --console`. */
async function open(...args: string[]): Promise<Operator> {
  const operator = await Operator.at(browser, await site.start(["plan", ...args, "--console"]), { width: 1280, height: 720 });
  operators.push(operator);
  return operator;
}

const result = (o: Operator): Promise<string> => o.page.getByRole("status", { name: "Plan" }).first().innerText();
const length = async (o: Operator): Promise<number> => Number(/length\s+([\d.]+)/.exec(await result(o))?.[1]);

test("a scenario opens with its obstacles, ends and planner, and its obstacle is dragged", async () => {
  const gate = await open("examples/plan/gate/gate.xml");
  const { page } = gate;
  await gate.sees(() => result(gate)).toMatch(/planned in/);
  expect(await page.getByLabel("Planner", { exact: true }).inputValue()).toBe("rrt-con-con");
  expect(await page.getByLabel("Time, s").inputValue()).toBe("30");
  expect(await length(gate)).toBeGreaterThan(2 * Math.hypot(0.85, 1.1) + 0.3 - 0.01); // around the corner of the wall
  await page.getByRole("button", { name: "room/wall", exact: true }).click();
  await page.getByLabel("y of room/wall in m", { exact: true }).fill("-3");
  await page.getByLabel("y of room/wall in m", { exact: true }).press("Enter");
  await gate.sees(() => length(gate)).toBeCloseTo(2, 1);
});

test("two panes plan for themselves", async () => {
  const gate = await open("examples/plan/gate/gate.xml");
  const { page } = gate;
  await page.evaluate(() => (location.hash = "#/50:plan|50:plan"));
  const panes = page.locator("main > .slot");
  const left = panes.nth(0).getByRole("status", { name: "Plan" });
  const right = panes.nth(1).getByRole("status", { name: "Plan" });
  await gate.sees(() => left.innerText()).toMatch(/planned in/);
  await gate.sees(() => right.innerText()).toMatch(/planned in/);
  const before = await left.innerText();
  await panes.nth(1).getByRole("slider", { name: "x", exact: true }).fill("0.5");
  await panes.nth(1).getByRole("slider", { name: "y", exact: true }).fill("1.5");
  await gate.sees(() => right.innerText()).toMatch(/length\s+2\.[0-4]/);
  expect(/length\s+[\d.]+/.exec(await left.innerText())).toEqual(/length\s+[\d.]+/.exec(before));
  expect(await left.innerText()).not.toMatch(/replaced/);
});

test("the problems of a file are chosen from, and swept volume, slice and tree of each are drawn", async () => {
  const arm = await open("examples/plan/shelf.json", "--robot", "examples/plan/arm.urdf", "--srdf", "examples/plan/arm.srdf");
  const { page } = arm;
  await arm.sees(() => result(arm)).toMatch(/planned in/);
  const options = await page.getByLabel("Robot", { exact: true }).locator("option").allInnerTexts();
  expect(options.length).toBe(3);
  await page.getByLabel("Swept volume").check();
  await page.getByLabel("Configuration space").check();
  await page.getByRole("img", { name: /Free and occupied positions/ }).waitFor();
  await page.getByLabel("Tree of the planner").check();
  await page.getByLabel("Robot", { exact: true }).selectOption(options[1] ?? "");
  await arm.sees(() => result(arm)).toMatch(/planned in|in collision/);
});

test("a tree is drawn while it grows", async () => {
  const gate = await open("examples/plan/gate/gate.xml", "--planner", "prm-star"); // it improves its path until the time is over
  const { page } = gate;
  await page.getByLabel("Tree of the planner").check();
  await gate.sees(async () => Number(await page.locator(".stage").getAttribute("data-tree"))).toBeGreaterThan(6);
  await page.getByLabel("Time, s").fill("0.2");
  await page.getByLabel("Time, s").press("Enter");
  await gate.sees(() => result(gate)).toMatch(/planned in/);
});

test("meshes and clouds are drawn as what they are, dragged and saved", async () => {
  const args = ["examples/plan/pyramid.yaml", "--robot", "examples/plan/arm.urdf", "--srdf", "examples/plan/arm.srdf", "--start", "turn=-1", "--goal", "turn=1"];
  const arm = await open(...args);
  const { page } = arm;
  const loaded: string[] = [];
  page.on("response", (r) => loaded.push(`${r.status()} ${new URL(r.url()).pathname}`));
  await page.reload();
  await arm.sees(() => result(arm)).toMatch(/planned in|in collision/);
  await arm.sees(async () => Promise.resolve(loaded.filter((l) => /^200 .*\/shape\/\d+\/0\.stl$/.test(l)).length)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "pyramid", exact: true }).click();
  await page.getByLabel("z of pyramid in m", { exact: true }).fill("-3");
  await page.getByLabel("z of pyramid in m", { exact: true }).press("Enter");
  await arm.sees(() => result(arm)).toMatch(/planned in/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save…" }).click()]);
  await download.saveAs(`${site.folder}/moved.yaml`);
  expect(site.read("moved.yaml")).toMatch(/vertex_indices[^]*/);
  expect(await site.sinew("plan", "moved.yaml", ...args.slice(1))).toContain("1 obstacle");

  const cloud = await open("examples/plan/arm.urdf", "--srdf", "examples/plan/arm.srdf", "--scene", "examples/plan/wall.pcd");
  const points = cloud.page.waitForResponse((r) => r.url().endsWith(".points") && r.status() === 200);
  await cloud.page.reload();
  expect((await (await points).body()).length % 16).toBe(0);
  await cloud.sees(() => result(cloud)).toMatch(/planned in|in collision/);
});

const pyramid = `world:
  collision_objects:
    - id: pyramid
      header: {frame_id: world}
      pose: {position: [0.3, 0, 0], orientation: [0, 0, 0, 1]}
      meshes:
        - vertices: [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0], [0, 0, 0.1]]
          triangles: [{vertex_indices: [0, 2, 1]}, {vertex_indices: [0, 3, 2]}, {vertex_indices: [0, 1, 4]}, {vertex_indices: [1, 2, 4]}, {vertex_indices: [2, 3, 4]}, {vertex_indices: [3, 0, 4]}]
      mesh_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, 1]}]
`;
