// The theme's colours for the canvas, which cannot use CSS variables.

const names = ["bg", "surface", "raised", "hover", "selected", "line-strong", "text", "text-2", "text-3", "accent", "ok", "warn", "warn-bg", "bad", "bad-bg"] as const;

export type Colours = Record<(typeof names)[number], string> & { series: string[]; font: string; mono: string };

export function coloursOf(e: Element): Colours {
  const style = getComputedStyle(e);
  const get = (name: string): string => style.getPropertyValue("--" + name).trim();
  const plain = Object.fromEntries(names.map((n) => [n, get(n)])) as Record<(typeof names)[number], string>;
  return { ...plain, series: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => get("s" + i)), font: get("font"), mono: get("mono") };
}
