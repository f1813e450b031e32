import { expect, test } from "vitest";
import type { Port } from "../lib/wire";
import { vectors } from "./vectors";

test("ports of a two-way block are listed by half", () => {
  const port = (name: string, kind: Port["kind"], half?: Port["half"]): Port => ({ name, kind, type: "float64", ...(half ? { half } : {}) });
  const list = [port("target", "input", "control"), port("angle", "input", "sense"), port("pose", "output", "sense"), port("torque", "output", "control"), port("enable", "input"), port("fell", "event")];
  expect(vectors(list).map((v) => `${v.title}: ${v.ports.map((p) => p.name).join(", ")}`)).toEqual(["Sensor inputs: angle", "Sensor outputs: pose", "Control inputs: target", "Control outputs: torque", "Events: fell"]);
  expect(vectors([port("in", "input"), port("out", "output")]).map((v) => v.title)).toEqual(["Inputs", "Outputs"]);
  expect(vectors(null)).toEqual([]);
});
