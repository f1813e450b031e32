import { describe, expect, it } from "vitest";
import type { Value } from "../../lib/wire";
import { freePlace, readPanel, splitRef, writePanel } from "./panel";

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
  it("comes back as it was saved", () => {
    const { panel, problems } = readPanel(file);
    expect(problems).toEqual([]);
    expect(panel.widgets.map((w) => w.bind)).toEqual([
      { value: { kind: "param", ref: "pid1.kp" } },
      { x: { kind: "port", ref: "drive.vx" }, y: { kind: "port", ref: "drive.vy" } },
      {},
    ]);
    expect(writePanel(panel)).toEqual(file);
  });

  it("says what it cannot read and shows the rest", () => {
    const { panel, problems } = readPanel({ widgets: [7, { at: [0, 0, 1, 1] }, { type: "led", bind: { color: 3 } }, { type: "led" }] });
    expect(problems).toHaveLength(3);
    expect(panel.widgets.map((w) => w.type)).toEqual(["led"]);
    expect(readPanel("nonsense").problems).toHaveLength(1);
  });

  it("brings places onto the grid", () => {
    const { panel } = readPanel({ widgets: [{ type: "led", at: [40, -3, 99, 0] }] });
    expect(panel.widgets[0]?.at).toEqual({ x: 0, y: 0, w: 24, h: 1 });
  });

  it("finds free places without overlap", () => {
    const { panel } = readPanel(file);
    expect(freePlace(panel.widgets, 6, 2)).toEqual({ x: 12, y: 0, w: 6, h: 2 });
    expect(freePlace(panel.widgets, 24, 1)).toEqual({ x: 0, y: 6, w: 24, h: 1 });
  });

  it("splits references at the last dot", () => {
    expect(splitRef("leg.left.servo.kp")).toEqual({ block: "leg.left.servo", name: "kp", element: null });
    expect(splitRef("generator.position[1]")).toEqual({ block: "generator", name: "position", element: 1 });
  });
});
