import { expect, test } from "vitest";
import type { Structure } from "../../lib/wire";
import janus from "../../mock/data/janus.json";
import { elided, labelSize } from "./boxes";
import { visible } from "./graph";
import { layoutFor, leastRow } from "./layout";
import { fitted } from "./view";

test.each([2, 1, 0.9, 0.8, 0.7, 0.65])("labels of ports have at least 11 px on the screen at the scale %d, and fit into their row", (scale) => {
  expect(labelSize(scale, leastRow) * scale).toBeGreaterThanOrEqual(11);
  expect(labelSize(scale, leastRow)).toBeLessThan(leastRow);
});

test.each([[720, 560], [880, 660], [1060, 560], [1240, 700]])("labels of ports have at least 11 px while Janus is fitted into %d × %d px", (width, height) => {
  const graph = visible(janus.structure as Structure, new Set(), true);
  const drawing = layoutFor(graph, (size) => fitted(size, { width, height }).scale, 11);
  const { scale } = fitted(drawing, { width, height });
  expect(labelSize(scale, drawing.rowHeight) * scale).toBeGreaterThanOrEqual(11);
});

test("labels that do not fit are shortened", () => {
  const width = (text: string): number => 6 * text.length;
  expect(elided("displacement_sensor", 200, 11, width)).toBe("displacement_sensor");
  expect(elided("displacement_sensor", 60, 11, width)).toMatch(/^displac.*…$/);
  expect(elided("in", 1, 11, width)).toBe("in");
});
