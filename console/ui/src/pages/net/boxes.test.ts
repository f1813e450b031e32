import { expect, test } from "vitest";
import type { Structure } from "../../lib/wire";
import janus from "../../mock/data/janus.json";
import { elided, labelSize } from "./boxes";
import { groupsOf, visible } from "./graph";
import { layoutFor, leastRow } from "./layout";
import { opening, whole } from "./opening";
import { nets } from "./testnets";
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

test.each(nets)("%s: labels of ports have at least 11 px in the view that opens in the editor, and a box is whole", (_, s) => {
  for (const open of [new Set<string>(), new Set(groupsOf(s))]) {
    const graph = visible(s, open, true);
    const window = { width: 720, height: 560 };
    const drawing = layoutFor(graph, (size) => fitted(size, window).scale, 11);
    const v = opening(drawing, window, false, graph);
    expect(labelSize(v.scale, drawing.rowHeight) * v.scale).toBeGreaterThanOrEqual(11);
    const inside = [...drawing.rects.values()].filter((r) => {
      const [x, y] = [r.x * v.scale + v.x, r.y * v.scale + v.y];
      return x >= 0 && y >= 0 && x + r.width * v.scale <= window.width && y + Math.min(400, r.height * v.scale) <= window.height;
    });
    expect(inside).not.toEqual([]);
    expect(whole(drawing, window, false).scale).toBeLessThanOrEqual(v.scale);
  }
});

test("labels that do not fit are shortened", () => {
  const width = (text: string): number => 6 * text.length;
  expect(elided("displacement_sensor", 200, 11, width)).toBe("displacement_sensor");
  expect(elided("displacement_sensor", 60, 11, width)).toBe("displa…sor");
  expect(elided("command10", 30, 11, width)).toBe("co…10"); // the number is whole
  expect(elided("displacement_sensor", 1, 11, width)).toBe("d…");
  expect(elided("in", 1, 11, width)).toBe("in");
});
