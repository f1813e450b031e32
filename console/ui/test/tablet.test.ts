// The console on a tablet of 820 × 1180 pixels: nothing is clipped.
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();

test("Stop, the strip, the time bar and the navigation are inside the window on every page, in the editor and in workspaces", async () => {
  const page = await mock.open("", { width: 820, height: 1180 });
  for (const name of ["cockpit", "net", "tree", "scope", "robot", "panels", "system", "tune", "plan"]) {
    await page.evaluate((n) => (location.hash = `#/${n}`), name);
    await page.locator(`header nav a[href="#/${name}"][aria-current=page]`).waitFor();
    await expect.poll(() => page.evaluate(clipped), { message: name }).toEqual([]);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/820-${name}.png` });
  }
  for (const [address, panes] of [["#/net?edit=1", 1], ["#/robot|scope|net|system", 4]] as const) {
    await page.evaluate((hash) => (location.hash = hash), address);
    await expect.poll(() => page.locator("main > .slot").count(), { message: address }).toBe(panes);
    await page.locator("canvas[data-places]").waitFor();
    await expect.poll(() => page.evaluate(clipped), { message: address }).toEqual([]);
  }
});

test("the tables of System become as narrow as a window that shrinks", async () => {
  const page = await mock.open("/system?system=janus", { width: 1440, height: 900 });
  const table = page.locator("main table").last();
  await table.locator("svg").nth(2).waitFor();
  const over = (): Promise<number> => table.evaluate((t) => t.getBoundingClientRect().right - (t.closest(".left")?.getBoundingClientRect().right ?? 0));
  for (const width of [1280, 820]) {
    await page.setViewportSize({ width, height: 1180 });
    await expect.poll(over, { message: `${width} px` }).toBeLessThanOrEqual(0);
  }
});

/** Runs in the page: returns what reaches over the window's edges, of the frame around the pages. */
function clipped(): string[] {
  const found = [...document.querySelectorAll("header, header a, header button, header select, .time button, .strip button")]
    .filter((e) => {
      const { left, right, top, bottom, width } = e.getBoundingClientRect();
      return width > 0 && (left < -0.5 || right > innerWidth + 0.5 || top < -0.5 || bottom > innerHeight + 0.5);
    })
    .map((e) => e.textContent.trim() || e.tagName);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  if (document.querySelector(".strip .stop") === null) found.push("there is no Stop");
  return found;
}
