// The page System in Chromium, with the simulated console.
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();

test.each([1440, 1280, 820])("the histograms have labelled axes, inside and apart from one another, at %i px", async (width) => {
  const page = await mock.open("/system?system=janus", { width, height: 900 });
  await page.locator(".pair svg").nth(1).waitFor();
  await expect.poll(() => page.evaluate(axes)).toEqual([{ durations: true, counts: true, outside: [], touching: [] }, { durations: true, counts: true, outside: [], touching: [] }]);
});

/** Runs in the page: returns what labels the axes of each large histogram have, and which are outside of it or touch one another. */
function axes(): { durations: boolean; counts: boolean; outside: string[]; touching: string[] }[] {
  return [...document.querySelectorAll(".pair svg")].map((svg) => {
    const all = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
    const apart = (a: DOMRect, b: DOMRect): boolean => a.right + 2 < b.left || b.right + 2 < a.left || a.bottom - 3 < b.top || b.bottom - 3 < a.top; // a line of text has air above and below
    return {
      durations: labels.filter((l) => /\d (ns|µs|ms|s)$/.test(l.text)).length >= 2,
      counts: labels.filter((l) => /^\d+[kM]?$/.test(l.text)).length >= 2,
      outside: labels.filter(({ box }) => box.left < all.left - 1 || box.right > all.right + 1 || box.top < all.top - 3 || box.bottom > all.bottom + 3).map((l) => l.text),
      touching: labels.filter((a, i) => labels.slice(i + 1).some((b) => !apart(a.box, b.box))).map((l) => l.text),
    };
  });
}
