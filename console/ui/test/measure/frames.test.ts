// Frames that pages with a robot draw in a second: the torso, the walker, and a panel with the torso. With SINEW_FRAMES=1 it
// holds them to the targets of docs/performance.md, which need a quiet machine.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "../real/operator";
import { pause, Site, type Run } from "../real/site";

const site = new Site();
let browser: Browser;
const files = { torso: "", walker: "" };
const strict = process.env["SINEW_FRAMES"] === "1";
const seconds = 6;

beforeAll(async () => {
  site.copy("models/torso", "examples/torso", "models/walker", "examples/walker");
  for (const name of ["torso", "walker"] as const) {
    const path = `examples/${name}/${name}.yaml`;
    files[name] = site.system(path, site.read(path));
  }
  browser = await launch();
});
afterAll(() => leave(site, browser));

/** Starts an example; only one runs at a time. */
function start(name: "torso" | "walker"): Promise<Run> {
  return site.start(["run", files[name], "--console", "--quiet"], name === "walker" ? "walker" : "sinew");
}

/** The frames that a page has drawn. */
interface Drawn {
  frames: number;
  triangles: number;
  calls: number;
}

/** Returns the processor time that the browser has used, in ms. */
async function processorTime(): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, p) => sum + 1000 * p.cpuTime, 0);
}

/** Runs in the page before its scripts: counts what it draws in 3-D. */
function count(): void {
  const drawn = { frames: 0, triangles: 0, calls: 0 };
  let last = -1;
  let frame = 0;
  const tick = (): void => {
    frame++;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  const add = (mode: number, vertices: number): void => {
    if (last !== frame) drawn.frames++;
    last = frame;
    drawn.calls++;
    if (mode === WebGL2RenderingContext.TRIANGLES) drawn.triangles += vertices / 3;
  };
  const { drawElements, drawArrays } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawElements = function (mode, vertices, type, offset) {
    add(mode, vertices);
    drawElements.call(this, mode, vertices, type, offset);
  };
  WebGL2RenderingContext.prototype.drawArrays = function (mode, first, vertices) {
    add(mode, vertices);
    drawArrays.call(this, mode, first, vertices);
  };
  Object.assign(window, { drawn });
}

/** Returns the frames that an open page draws in a second, what each of them takes, and its processor time in ms. */
async function rate({ page }: Operator): Promise<Drawn & { ms: number }> {
  const read = (): Promise<Drawn> => page.evaluate(() => ({ ...(window as unknown as { drawn: Drawn }).drawn }));
  await expect.poll(async () => (await read()).frames, { timeout: 40_000 }).toBeGreaterThan(0);
  await pause(4_000); // pages adapt to the machine meanwhile
  const [first, begin, used] = [await read(), performance.now(), await processorTime()];
  await pause(1000 * seconds);
  const [last, time] = [await read(), (performance.now() - begin) / 1000];
  const frames = Math.max(1, last.frames - first.frames);
  return { frames: frames / time, triangles: (last.triangles - first.triangles) / frames, calls: (last.calls - first.calls) / frames, ms: ((await processorTime()) - used) / frames };
}

for (const { name, example, path, least } of [
  { name: "the page Robot of the torso", example: "torso", path: "robot", least: 15 },
  { name: "the page Robot of the walker", example: "walker", path: "robot", least: 25 },
  { name: "a panel with the torso and two plots", example: "torso", path: "panels/springs", least: 25 },
] as const) {
  test(`${name} draws ${strict ? `at least ${least}` : "some"} frames a second`, { timeout: 120_000 }, async () => {
    const run = await start(example);
    const operator = await Operator.at(browser, run, { width: 1440, height: 900, script: count });
    try {
      if (example === "walker") await site.sinew("call", "--system", site.name("walker"), "body.drive.standUp");
      await operator.page.goto(`${run.origin}/#/${path}`);
      await operator.page.reload();
      const drawn = await rate(operator);
      console.log(`${name}: ${drawn.frames.toFixed(1)} frames a second of ${drawn.triangles.toFixed(0)} triangles in ${drawn.calls.toFixed(0)} calls, ${drawn.ms.toFixed(0)} ms of the processor each`);
      expect(drawn.frames).toBeGreaterThan(strict ? least : 0);
    } finally {
      await operator.close();
      await run.end();
    }
  });
}
