// The contrast of the controls of all pages as they are drawn, by WCAG 2.2: their text 4.5:1 (1.4.3), their borders 3:1 (1.4.11). Disabled
// controls are exempt there.
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
const pages = ["cockpit", "net", "net?edit=1", "tree/pid1", "scope?add=pid1.out", "robot", "panels", "system", "tune", "plan"];

test.each([["light", false], ["dark", true]] as const)("in the %s theme, text and borders of all controls stand out", async (_, dark) => {
  const page = await mock.open("", { dark });
  await page.locator("header nav").waitFor();
  for (const name of pages) {
    await page.evaluate((n) => (location.hash = `#/${n}`), name);
    await page.locator(`header nav a[href="#/${name.replace(/[?/].*/, "")}"][aria-current=page]`).waitFor();
    await expect.poll(async () => (await page.locator("main").innerText()).trim(), { message: name }).not.toBe("");
    await expect.poll(() => page.evaluate(faint), { message: name }).toEqual({ faint: [], enough: true });
  }
});

test.each([["light", false], ["dark", true]] as const)("in the %s theme, the links of the net stand out as they are drawn", async (_, dark) => {
  const page = await mock.open("/net?edit=1&system=janus", { dark });
  await page.getByText("No problems found").waitFor();
  await page.mouse.move(0, 0);
  const least = (): Promise<number> => page.locator("canvas[data-places]").evaluate(contrastOfLinks);
  await expect.poll(least).toBeGreaterThanOrEqual(3);
});

/** Runs in the page: returns the least contrast of a link with the ground, in the pixels beside the output where it starts. */
function contrastOfLinks(canvas: Element): number {
  const c = canvas as HTMLCanvasElement;
  const { ports } = JSON.parse(c.dataset["places"] ?? "{}") as { ports: Record<string, [number, number]> };
  const view = JSON.parse(c.dataset["view"] ?? "{}") as { scale: number; x: number; y: number };
  const ratio = c.width / c.getBoundingClientRect().width;
  const linear = (x: number): number => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const luminances = (x: number, y: number, width: number, height: number): number[] => {
    const data = c.getContext("2d")?.getImageData(Math.round(x * ratio), Math.round(y * ratio), Math.round(width * ratio), Math.round(height * ratio)).data ?? [];
    return Array.from({ length: data.length / 4 }, (_, i) => 0.2126 * linear(data[4 * i] ?? 0) + 0.7152 * linear(data[4 * i + 1] ?? 0) + 0.0722 * linear(data[4 * i + 2] ?? 0));
  };
  const [ground = 0] = luminances(1, 1, 1, 1);
  const contrasts = ["pid1.out", "pid2.out", "joint1.position", "actuator.voltage1", "sensor.sensor", "sampler.sample", "controller.act"].map((port) => {
    const [x = 0, y = 0] = ports[port] ?? [];
    const found = luminances(x * view.scale + view.x + 5 * view.scale, y * view.scale + view.y - 2, 4, 5);
    return Math.max(...found.map((l) => (Math.max(l, ground) + 0.05) / (Math.min(l, ground) + 0.05)));
  });
  return Math.min(...contrasts);
}

/** Runs in the page: returns the controls whose text or border has too little contrast, and whether it has compared enough of them. */
function faint(): { faint: string[]; enough: boolean } {
  type Colour = [r: number, g: number, b: number, a: number];
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map<string, Colour>();
  const parse = (css: string): Colour => {
    const before = known.get(css);
    if (before || !brush) return before ?? [0, 0, 0, 0];
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = brush.getImageData(0, 0, 1, 1).data;
    const colour: Colour = [r, g, b, a / 255];
    known.set(css, colour);
    return colour;
  };
  const over = ([r, g, b, a]: Colour, [x, y, z]: Colour): Colour => [a * r + (1 - a) * x, a * g + (1 - a) * y, a * b + (1 - a) * z, 1];
  const ground = (e: Element | null): Colour => (e === null ? [255, 255, 255, 1] : over(parse(getComputedStyle(e).backgroundColor), ground(e.parentElement)));
  const luminance = (c: Colour): number => {
    const [r = 0, g = 0, b = 0] = c.slice(0, 3).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: Colour, b: Colour): number => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const found: string[] = [];
  let compared = 0;
  const compare = (e: Element, what: string, css: string, under: Colour, least: number): void => {
    const value = contrast(over(parse(css), under), under);
    compared++;
    if (value < least - 0.005) found.push(`${what} of ${e.tagName.toLowerCase()}.${e.className} "${(e.textContent || e.getAttribute("aria-label") || "").trim().slice(0, 30)}": ${value.toFixed(2)} < ${least}`);
  };
  const controls = "button, input:not([type=range], [type=checkbox], [type=radio], [type=color]), select, textarea, a[href], summary, [role=option], [role=treeitem], [role=tab]";
  for (const e of document.querySelectorAll(controls)) {
    const { width, height } = e.getBoundingClientRect();
    if (width < 2 || height < 2 || e.matches(":disabled, [aria-disabled=true], .reader *") || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(e);
    const sides = ["Top", "Right", "Bottom", "Left"] as const;
    if (sides.every((s) => parseFloat(style[`border${s}Width`]) > 0) && parse(style.borderTopColor)[3] > 0) compare(e, "border", style.borderTopColor, ground(e.parentElement), 3);
    for (const part of [e, ...e.querySelectorAll("*")]) {
      const text = [...part.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim()) || part.matches("select, textarea, input");
      if (text && part.checkVisibility({ opacityProperty: true })) compare(part, "text", getComputedStyle(part).color, ground(part), 4.5);
    }
    if (e.matches("input:placeholder-shown")) compare(e, "placeholder", getComputedStyle(e, "::placeholder").color, ground(e), 4.5);
  }
  return { faint: [...new Set(found)], enough: compared > 20 };
}
