// The contrast of the theme's colours, as WCAG 2.2 defines it: text 4.5:1 (1.4.3), borders of controls and lines 3:1 (1.4.11).
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("theme.css", import.meta.url), "utf8");
const rule = (selector: string): Record<string, string> => {
  const from = css.indexOf(selector + " {");
  const body = css.slice(from, css.indexOf("}", from));
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1], m[2]]));
};
const light = rule(":root");
const themes = { light, dark: { ...light, ...rule(':root[data-theme="dark"]') } };

/** Relative luminance of a colour "#rrggbb": WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const grounds = ["bg", "surface", "raised", "hover"];
const pairs: [colours: string[], on: string[], least: number][] = [
  [["text", "text-2", "text-3", "accent", "ok", "warn", "bad"], [...grounds, "selected"], 4.5],
  [["text", "text-2", "warn"], ["warn-bg"], 4.5],
  [["text", "text-2", "bad"], ["bad-bg"], 4.5],
  [["on-accent"], ["accent"], 4.5],
  [["line-strong", "text-3", "accent", "ok", "warn", "bad"], [...grounds, "selected"], 3], // borders of controls, links and ports of the net, marks
  [["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"], ["bg", "surface"], 3], // lines of plots
];

test("black on white has the contrast 21", () => expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 9));

describe.each(Object.entries(themes))("the %s theme", (_, colours) => {
  test.each(pairs.flatMap(([list, on, least]) => list.flatMap((c) => on.map((g): [string, string, number] => [c, g, least]))))("draws %s on %s with a contrast of at least %d", (c, ground, least) => {
    expect(contrast(colours[c] ?? "", colours[ground] ?? "")).toBeGreaterThanOrEqual(least);
  });
});
