// The drawing of links: solid lines and dashed calls, in a colour with a contrast of at least 3:1 (WCAG 2.2, 1.4.11) in both themes.
import { beforeAll, expect, test, vi } from "vitest";
import { draw } from "./draw";
import { visible } from "./graph";
import { layout } from "./layout";
import { curves } from "./paths";
import { labelOf, type Scene } from "./scene";
import { janus } from "./testnets";

interface Line {
  colour: string;
  width: number;
  dashed: boolean;
}

beforeAll(() => {
  vi.stubGlobal("Path2D", class { moveTo(): void {} lineTo(): void {} arcTo(): void {} bezierCurveTo(): void {} });
  return () => vi.unstubAllGlobals();
});

/** Draws Janus with two calls, and returns the lines of its links, the texts, and the room in characters for the value of each output. */
function drawn(scale: number): { lines: Line[]; texts: string[]; rooms: Map<string, number> } {
  const rooms = new Map<string, number>();
  const graph = visible({ ...janus, links: janus.links.map((l) => ({ ...l, exchange: "newest" as const })), calls: ["aic01", "aic02"].map((block) => ({ block, peer: "robot", operation: "setBrake" })) }, new Set());
  const drawing = layout(graph);
  const scene = {
    graph, drawing, curves: curves(drawing), view: { scale, x: 0, y: 0 }, width: 9000, height: 9000,
    colours: new Proxy({}, { get: (_, name) => (name === "series" ? [] : name) }),
    selected: new Set(), focused: "", marks: new Map(), chosen: [], hovered: undefined, band: undefined, pending: undefined,
    value: (ref: string, most: number) => void rooms.set(ref, most), unusual: { held: new Set(), nonFinite: new Set() }, share: () => undefined, thread: () => -1,
  } as unknown as Scene;
  const lines: Line[] = [];
  const texts: string[] = [];
  let dash: number[] = [];
  const state: Record<string, unknown> = {};
  const context = new Proxy(state, {
    get: (_, name) => {
      if (name === "setLineDash") return (d: number[]) => (dash = d);
      if (name === "stroke") return (path?: Path2D) => path && lines.push({ colour: String(state["strokeStyle"]), width: Number(state["lineWidth"]), dashed: dash.length > 0 });
      if (name === "fillText") return (text: string) => texts.push(text);
      if (name === "measureText") return (text: string) => ({ width: 7 * text.length });
      return state[name as string] ?? (() => undefined);
    },
  });
  draw(context as unknown as CanvasRenderingContext2D, scene, 1);
  return { lines, texts, rooms };
}

test("calls are dashed, and links are not", () => {
  const { lines } = drawn(1);
  expect(lines.filter((l) => l.dashed)).toHaveLength(2);
  expect(lines.filter((l) => !l.dashed).length).toBeGreaterThan(20);
});

test("every line has the colour that theme.test.ts compares with the ground, and a width that carries it to a whole pixel", () => {
  for (const scale of [1, 0.5, 0.3]) {
    const { lines } = drawn(scale);
    expect(new Set(lines.map((l) => l.colour))).toEqual(new Set(["line-strong"]));
    for (const l of lines) expect(l.width * scale).toBeGreaterThanOrEqual(1.69);
  }
});

test("links are labelled while their labels can be read and have room", () => {
  for (const scale of [1, 0.8]) expect(drawn(scale).texts).toContain("newest");
  for (const scale of [0.7, 0.3]) expect(drawn(scale).texts).not.toContain("newest");
});

test("the value of a link that ends at a near box is shortened to the room before it", () => {
  const { rooms } = drawn(1);
  expect(rooms.get("generator.velocity")).toBeLessThan(25);
  expect(rooms.get("pid1.out")).toBe(Infinity); // goes back to the left
  expect(labelOf([0, -1.157], 1, 8)?.text).toBe("[0, …]");
  expect(labelOf([0, -1.157], 1, 11)?.text).toBe("[0, −1.157]");
  expect(labelOf(-1.157, 1, 3)?.text).toBe("−1.157");
});
