// The time from a drag on the page Plan to the new motion: until the page has drawn it, and until it is on the screen, as
// Chromium's trace shows it. Once without a graphics card, once with a renderer that draws nothing, which no card can outdo.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "../real/operator";
import { arrow } from "../real/picture";
import { Site } from "../real/site";

const site = new Site();
let browser: Browser;
const moves = 200;

beforeAll(async () => {
  site.copy("models/panda");
  browser = await launch();
});
afterAll(() => leave(site, browser));

/** Runs in the page before its scripts: takes the renderer for a graphics card, which draws nothing from the second press on. */
function drawNothing(): void {
  const all = WebGL2RenderingContext.prototype;
  const { getParameter } = all;
  all.getParameter = function (name: number): unknown {
    return name === 0x9246 ? "a card that draws nothing" : getParameter.call(this, name); // UNMASKED_RENDERER_WEBGL
  };
  let presses = 0;
  const stop = (): void => {
    if (++presses === 2) Object.assign(all, { drawElements() {}, drawArrays() {}, drawElementsInstanced() {}, drawArraysInstanced() {}, clear() {} });
  };
  addEventListener("pointerdown", stop, true);
}

/** An event of Chromium's trace; times in µs. */
interface Traced {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
}

/** Returns for each drawn motion the ms from its event until the end of the first composition after the frame that took it along. */
function onScreen(trace: readonly Traced[]): number[] {
  const ends = (name: string): number[] => trace.filter((e) => e.name === name && e.ph === "X").map((e) => e.ts + (e.dur ?? 0)).sort((a, b) => a - b);
  const edges = (ph: string): number[] => trace.filter((e) => e.name === "drag to motion" && e.ph === ph).map((e) => e.ts).sort((a, b) => a - b);
  const [frames, compositions, drawn] = [ends("ProxyMain::BeginMainFrame"), ends("Display::DrawAndSwap"), edges("e")];
  return edges("b").flatMap((begin, i) => {
    const taken = frames.find((t) => t >= (drawn[i] ?? Infinity));
    const shown = taken === undefined ? undefined : compositions.find((t) => t > taken);
    return shown === undefined ? [] : [(shown - begin) / 1000];
  });
}

const quantile = (times: readonly number[], share: number): number => [...times].sort((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? NaN;

for (const { what, script } of [
  { what: "without a graphics card", script: undefined },
  { what: "with a renderer that draws nothing", script: drawNothing },
]) {
  for (const { width, height, reach } of [
    { width: 1280, height: 720, reach: 40 },
    { width: 1920, height: 1080, reach: 60 },
  ]) {
    test(`drag to motion ${what}, ${width} × ${height}`, async () => {
      const ends = ["--start", "-0.8,0.2,0,-1.8,0,2,0.8,0.02", "--goal", "0.8,0.2,0,-1.8,0,2,0.8,0.02"];
      const run = await site.start(["plan", "models/panda/panda.urdf", "--console", ...ends]);
      const operator = await Operator.at(browser, run, { width, height, ...(script && { script }) });
      const { page } = operator;
      const drag = async (): Promise<void> => {
        const grip = await arrow(operator);
        await page.mouse.move(grip.x, grip.y);
        await page.mouse.down();
        for (let i = 1; i <= moves; i++) await page.mouse.move(grip.x, grip.y - reach * Math.sin(i / 12));
        await page.mouse.up();
      };
      try {
        await drag();
        await drag(); // the page keeps the times of the newest 200 moves: without those at which the browser compiled its scripts
        const parts = await Promise.all(["data-p50", "data-p95"].map(async (name) => JSON.parse((await page.locator(".stage").getAttribute(name)) ?? "{}") as Record<string, number>));
        const [p50, p95] = parts;
        const list = Object.keys(p95 ?? {}).map((part) => `${part} ${p50?.[part]?.toFixed(1)}/${p95?.[part]?.toFixed(1)}`);
        console.log(`drag to motion ${what}, ${width} × ${height}, p50/p95 in ms: ${list.join(", ")}`);
        expect(p95?.["all"]).toBeGreaterThan(0);
        if (script !== undefined) return; // nothing reaches the screen
        await browser.startTracing(page, { categories: ["cc", "viz", "blink.user_timing"] });
        await drag();
        const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
        const times = onScreen(traceEvents);
        console.log(`until it is on the screen, ${width} × ${height}: ${quantile(times, 0.5).toFixed(1)}/${quantile(times, 0.95).toFixed(1)} of ${times.length}`);
        expect(times.length).toBeGreaterThan(0);
      } finally {
        await operator.close();
        await run.end();
      }
    });
  }
}
