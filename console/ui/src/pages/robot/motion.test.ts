import { describe, expect, it } from "vitest";
import type { Robot } from "../../lib/robots";
import type { Value } from "../../lib/wire";
import { contactsOf, easyTime, follow, motionOf, refsOf, type Motion } from "./motion";

const arm: Robot = { name: "arm", urdf: "/robot/x/arm.urdf", joints: ["a", "b"], position: ["robot.position"], desired: [], contacts: [] };
const walker: Robot = { ...arm, position: ["r.angle1", "r.angle2"], base: { position: "r.p", orientation: "r.q" }, contacts: ["r.contacts"] };

describe("motion", () => {
  it("names all ports once", () => {
    expect(refsOf(arm)).toEqual(["robot.position"]);
    expect(refsOf(walker)).toEqual(["r.angle1", "r.angle2", "r.p", "r.q", "r.contacts"]);
  });

  it("reads joints from one port or from many", () => {
    const values = new Map<string, Value>([["robot.position", [1, "NaN"]], ["r.angle2", 3], ["r.p", [0, 0, 1]], ["r.q", [0, 0, 0, 1]]]);
    expect(motionOf(arm, values, 5)).toEqual({ time: 5, actual: [1, NaN], desired: null, base: null, contacts: [] });
    const m = motionOf(walker, values, 5);
    expect(m.actual).toEqual([NaN, 3]);
    expect(m.base).toEqual({ p: [0, 0, 1], q: [0, 0, 0, 1] });
  });

  it("takes no base that is no pose", () => {
    expect(motionOf(walker, new Map<string, Value>([["r.p", [0, "NaN", 1]], ["r.q", [0, 0, 0, 1]]]), 0).base).toBeNull();
  });

  it("shows joints of which nobody tells at 0, once", () => {
    const seen: Motion[] = [];
    const link = { watch: () => expect.fail("there is nothing to watch") };
    follow(link as never, "x", { ...arm, position: [] }, 60, (m) => seen.push(m), () => undefined).stop();
    expect(seen.map((m) => m.actual)).toEqual([[0, 0]]);
  });

  it("reads contacts, one or a list, and leaves out what is no number", () => {
    const one = { point: [1, 2, 3], force: [4, 5, 6] };
    expect(contactsOf([one, { point: [1, 2, 3], force: [4, 5, "NaN"] }] as Value)).toEqual([one]);
    expect(contactsOf(one as Value)).toEqual([one]);
    for (const none of [undefined, null, 1, [1, 2, 3, 4, 5, 6], { point: [1, 2] }] as Value[]) expect(contactsOf(none)).toEqual([]);
    expect(motionOf(walker, new Map<string, Value>([["r.contacts", [one]]]), 0).contacts).toEqual([one]);
  });

  it("gives a motion as much time as the slowest joint wants", () => {
    const speeds = new Map([["a", 2], ["b", 0.5]]);
    expect(easyTime(arm, [0, 0], [0, 0], speeds)).toBe(1);
    expect(easyTime(arm, [1, 1], [0, 0], speeds)).toBe(7.5); // b: 1.875 · 1 / 0.25
    expect(easyTime(arm, [1, 1], [0, NaN], speeds)).toBe(2);
  });
});
