import { describe, expect, it } from "vitest";
import type { Value } from "../../lib/wire";
import { commandOf, motionOf, refsOf, robotInfo } from "./motion";
import { contactsOf } from "./marks";

const arm = robotInfo({ name: "arm", urdf: "/robot/x/arm.urdf", joints: ["a", "b"], position: "robot.position", desired: null });
const walker = { ...arm, position: ["r.angle1", "r.angle2"], base: { position: "r.p", orientation: "r.q" }, contacts: "r.contacts" };

describe("motion", () => {
  it("understands joints with ports of their own", () => {
    const answer = { name: "w", urdf: "", joints: ["a", "b"], position: "", desired: null, signals: [{ ref: "r.a1" }, { ref: "r.a2" }] };
    expect(robotInfo(answer).position).toEqual(["r.a1", "r.a2"]);
  });

  it("names all ports once", () => {
    expect(refsOf(arm)).toEqual(["robot.position"]);
    expect(refsOf(walker)).toEqual(["r.angle1", "r.angle2", "r.p", "r.q", "r.contacts"]);
  });

  it("reads joints from one port or from many", () => {
    const values = new Map<string, Value>([["robot.position", [1, "NaN"]], ["r.angle1", 3], ["r.p", [0, 0, 1]], ["r.q", [0, 0, 0, 1]]]);
    expect(motionOf(arm, values, 5)).toEqual({ time: 5, actual: [1, NaN], desired: null, base: null, contacts: null, loads: {} });
    const m = motionOf(walker, values, 5);
    expect(m.actual).toEqual([3, NaN]);
    expect(m.base).toEqual({ p: [0, 0, 1], q: [0, 0, 0, 1] });
  });

  it("reads forces on links", () => {
    const feet = { ...arm, contacts: [{ link: "foot", ref: "r.load1" }] };
    expect(refsOf(feet)).toEqual(["robot.position", "r.load1"]);
    expect(motionOf(feet, new Map<string, Value>([["r.load1", 12]]), 0).loads).toEqual({ foot: 12 });
  });

  it("takes no base that is no pose", () => {
    expect(motionOf(walker, new Map<string, Value>([["r.p", [0, "NaN", 1]], ["r.q", [0, 0, 0, 1]]]), 0).base).toBeNull();
  });

  it("commands one port or many", () => {
    expect(commandOf("c.q", [1, 2])).toEqual([{ ref: "c.q", value: [1, 2] }]);
    expect(commandOf(["c.a", "c.b"], [1, 2])).toEqual([{ ref: "c.a", value: 1 }, { ref: "c.b", value: 2 }]);
    expect(commandOf(null, [1])).toEqual([]);
  });

  it("reads contacts as rows or flat, and leaves out what is no number", () => {
    const one = { point: [1, 2, 3], force: [4, 5, 6] };
    expect(contactsOf([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, "NaN"]])).toEqual([one]);
    expect(contactsOf([1, 2, 3, 4, 5, 6, 7])).toEqual([one]);
    expect(contactsOf(null)).toEqual([]);
  });
});
