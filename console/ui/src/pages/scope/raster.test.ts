import { describe, expect, it } from "vitest";
import { Polyline } from "./decimate";
import { Raster, type Stroke } from "./raster";

const stroke: Stroke = { colour: "#204060", thickness: 1, dash: [] };
const unit = { from: 0, perSecond: 1, top: 0, perUnit: -1 }; // x and y of a point in pixels

function painted(points: [number, number][], look: Partial<Stroke> = {}): Raster {
  const line = new Polyline();
  for (const [x, y] of points) line.add(x, y);
  const raster = new Raster();
  raster.begin(10, 8);
  raster.line(line, unit, { ...stroke, ...look });
  return raster;
}

/** The opacity of each row of a column, 0 to 255. */
function column(raster: Raster, x: number): number[] {
  return Array.from({ length: raster.height }, (_, y) => raster.bytes[4 * (y * raster.width + x) + 3] ?? -1);
}

describe("a line", () => {
  it("is drawn horizontally with its colour and thickness", () => {
    const raster = painted([[0, 3.5], [10, 3.5]]);
    for (let x = 0; x < 10; x++) expect(column(raster, x)).toEqual([0, 0, 0, 255, 0, 0, 0, 0]);
    expect([...raster.bytes.slice(4 * 30, 4 * 30 + 4)]).toEqual([0x20, 0x40, 0x60, 255]);
  });

  it("between two rows is split between them", () => {
    const [above = 0, below = 0] = column(painted([[0, 4], [10, 4]]), 5).slice(3, 5);
    expect(above).toBe(below);
    expect(above + below).toBeGreaterThan(240);
  });

  it("covers a column from its least to its greatest value", () => {
    const rows = column(painted([[0, 4], [4.2, 4], [4.5, 0], [4.8, 8], [5, 4], [10, 4]]), 4);
    expect(rows.slice(2, 6)).toEqual([255, 255, 255, 255]);
    expect(Math.min(...rows)).toBeGreaterThan(60);
  });

  it("has no holes if it is steep", () => {
    const raster = painted([[0, 0], [10, 8]]);
    for (let x = 1; x < 9; x++) expect(Math.max(...column(raster, x))).toBeGreaterThan(200);
  });

  it("is interrupted at NaN", () => {
    const raster = painted([[0, 4], [3, 4], [5, NaN], [7, 4], [10, 4]]);
    expect(Math.max(...column(raster, 5))).toBe(0);
    expect(Math.max(...column(raster, 8))).toBeGreaterThan(0);
  });

  it("can start and end far outside the picture", () => {
    const raster = painted([[-1e9, 3.5], [1e9, 3.5]]);
    for (let x = 0; x < 10; x++) expect(column(raster, x)[3]).toBe(255);
    expect(Math.max(...painted([[0, 1e300], [10, 1e300]]).bytes)).toBe(0);
  });

  it("with one sample is a dot", () => {
    expect(painted([[4.5, 3.5]]).bytes.filter((b) => b > 0)).toHaveLength(4);
  });

  it("is dashed along the time axis", () => {
    const raster = painted([[0, 3.5], [10, 3.5]], { dash: [3, 2] });
    expect(Array.from({ length: 10 }, (_, x) => column(raster, x)[3])).toEqual([255, 255, 255, 0, 0, 255, 255, 255, 0, 0]);
  });
});
