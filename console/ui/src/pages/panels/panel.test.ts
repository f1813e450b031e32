import { describe, expect, it } from "vitest";
import type { Value } from "../../lib/wire";
import { freePlace, pick, put, readPanel, splitRef, writePanel } from "./panel";

const file: Value = {
  title: "Janus",
  note: "kept",
  widgets: [
    { type: "slider", title: "kp", at: [0, 0, 6, 2], bind: { param: "pid1.kp" }, min: 0, max: 200 },
    { type: "joystick", at: [6, 0, 6, 6], bind: { x: { port: "drive.vx" }, y: { port: "drive.vy" } } },
    { type: "text", at: [0, 2, 6, 1], text: "🤖" },
  ],
};

describe("panel", () => {
  it("writePanel restores what readPanel read", () => {
    const { panel, problems } = readPanel(file);
    expect(problems).toEqual([]);
    expect(panel.widgets.map((w) => w.bind)).toEqual([
      { value: { kind: "param", ref: "pid1.kp" } },
      { x: { kind: "port", ref: "drive.vx" }, y: { kind: "port", ref: "drive.vy" } },
      {},
    ]);
    expect(writePanel(panel)).toEqual(file);
  });

  it("readPanel reports invalid widgets and keeps the others", () => {
    const { panel, problems } = readPanel({ widgets: [7, { at: [0, 0, 1, 1] }, { type: "led", bind: { color: 3 } }, { type: "led" }] });
    expect(problems).toHaveLength(3);
    expect(panel.widgets.map((w) => w.type)).toEqual(["led"]);
    expect(readPanel("nonsense").problems).toHaveLength(1);
  });

  it("readPanel clamps places to the grid", () => {
    const { panel } = readPanel({ widgets: [{ type: "led", at: [40, -3, 99, 0] }] });
    expect(panel.widgets[0]?.at).toEqual({ x: 0, y: 0, w: 24, h: 1 });
  });

  it("freePlace avoids overlaps", () => {
    const { panel } = readPanel(file);
    expect(freePlace(panel.widgets, 6, 2)).toEqual({ x: 12, y: 0, w: 6, h: 2 });
    expect(freePlace(panel.widgets, 24, 1)).toEqual({ x: 0, y: 6, w: 24, h: 1 });
  });

  it("splitRef splits at the last dot", () => {
    expect(splitRef("leg.left.servo.kp")).toEqual({ block: "leg.left.servo", name: "kp", port: "leg.left.servo.kp", elements: null });
    expect(splitRef("generator.position[1]")).toEqual({ block: "generator", name: "position", port: "generator.position", elements: [1] });
    expect(splitRef("arm.u[2:5]")).toEqual({ block: "arm", name: "u", port: "arm.u", elements: [2, 3, 4] });
  });

  it("pick and put read and write the elements of a list", () => {
    expect([null, [1], [2, 0], [1, 5], [5]].map((e) => pick([7, 8, 9], e))).toEqual([[7, 8, 9], 8, [9, 7], [8, "NaN"], "NaN"]);
    expect(pick(3, [0])).toBe("NaN");
    expect(put([7, 8, 9], [1], 1)).toEqual([7, 1, 9]);
    expect(put([7, 8, 9], [2, 0], [1, 2])).toEqual([2, 8, 1]);
    expect(put(undefined, [2], 1)).toEqual([0, 0, 1]);
    expect(() => put([7, 8, 9], [0, 1], 1)).toThrow("2 elements want a list of as many values, not 1");
  });
});
