import { describe, expect, it, vi } from "vitest";
import type { CoachPose, Robot } from "../../lib/robots";
import { Timeline } from "../../lib/timeline.svelte";
import type { Value } from "../../lib/wire";
import { contactsOf, drawn, easyTime, follow, motionOf, refsOf, type Motion } from "./motion";
import { nothingShown } from "./shown";

const arm: Robot = { name: "arm", urdf: "/robot/x/arm.urdf", joints: ["a", "b"], position: ["robot.position"], desired: [], contacts: [] };
const walker: Robot = { ...arm, position: ["r.angle1", "r.angle2"], base: { position: "r.p", orientation: "r.q" }, contacts: ["r.contacts"] };

describe("motion", () => {
  it("refsOf lists each port once", () => {
    expect(refsOf(arm)).toEqual(["robot.position"]);
    expect(refsOf({ ...arm, torque: ["robot.torque"] })).toEqual(["robot.position", "robot.torque"]);
    expect(refsOf(walker)).toEqual(["r.angle1", "r.angle2", "r.p", "r.q", "r.contacts"]);
  });

  it("motionOf reads joints from one or several ports", () => {
    const values = new Map<string, Value>([["robot.position", [1, "NaN"]], ["r.angle2", 3], ["r.p", [0, 0, 1]], ["r.q", [0, 0, 0, 1]]]);
    expect(motionOf(arm, values, 5)).toEqual({ time: 5, actual: [1, NaN], desired: null, torque: null, base: null, contacts: [], shown: nothingShown });
    const m = motionOf(walker, values, 5);
    expect(m.actual).toEqual([NaN, 3]);
    expect(m.base).toEqual({ p: [0, 0, 1], q: [0, 0, 0, 1] });
  });

  it("motionOf reads torques", () => {
    expect(motionOf({ ...arm, torque: ["robot.torque"] }, new Map<string, Value>([["robot.torque", [3, -4]]]), 0).torque).toEqual([3, -4]);
  });

  it("motionOf ignores an invalid base pose", () => {
    expect(motionOf(walker, new Map<string, Value>([["r.p", [0, "NaN", 1]], ["r.q", [0, 0, 0, 1]]]), 0).base).toBeNull();
  });

  it("follow reports joints without a position port once, at 0", () => {
    const seen: Motion[] = [];
    follow({ client: fake([]), timeline: new Timeline() } as never, "x", { ...arm, position: [] }, 60, (m) => seen.push(m), () => undefined).stop();
    expect(seen.map((m) => m.actual)).toEqual([[0, 0]]);
  });

  it("follow reports what programs have shown before, and then", async () => {
    const seen: Motion[] = [];
    const client = fake([{ system: "x", robot: "arm", q: [1, 2] }]);
    const watch = follow({ client, timeline: new Timeline() } as never, "x", { ...arm, position: [] }, 60, (m) => seen.push(m), () => undefined);
    await vi.waitFor(() => expect(seen.at(-1)?.actual).toEqual([1, 2]));
    client.show({ system: "y", robot: "arm", q: [7, 7] });
    client.show({ system: "x", robot: "arm", q: [3, 4] });
    await vi.waitFor(() => expect(seen.at(-1)?.actual).toEqual([3, 4]));
    watch.stop();
  });

  it("a robot that its system moves is drawn where a program shows it, and its ghost where it is", () => {
    const values = new Map<string, Value>([["robot.position", [1, 2]]]);
    expect(drawn(arm, motionOf(arm, values, 0, { q: [3, 4], placed: [] }))).toEqual({ solid: [3, 4], ghost: [1, 2] });
    expect(drawn(arm, motionOf(arm, values, 0, { q: [3], placed: [] }))).toEqual({ solid: [1, 2], ghost: null });
    const still = { ...arm, position: [] };
    expect(drawn(still, motionOf(still, values, 0, { q: [3, 4], placed: [] }))).toEqual({ solid: [3, 4], ghost: null });
  });

  it("contactsOf reads one contact or a list and drops invalid ones", () => {
    const one = { point: [1, 2, 3], force: [4, 5, 6] };
    expect(contactsOf([one, { point: [1, 2, 3], force: [4, 5, "NaN"] }] as Value)).toEqual([one]);
    expect(contactsOf(one as Value)).toEqual([one]);
    for (const none of [undefined, null, 1, [1, 2, 3, 4, 5, 6], { point: [1, 2] }] as Value[]) expect(contactsOf(none)).toEqual([]);
    expect(motionOf(walker, new Map<string, Value>([["r.contacts", [one]]]), 0).contacts).toEqual([one]);
  });

  it("easyTime follows the slowest joint", () => {
    const speeds = new Map([["a", 2], ["b", 0.5]]);
    expect(easyTime(arm, [0, 0], [0, 0], speeds)).toBe(1);
    expect(easyTime(arm, [1, 1], [0, 0], speeds)).toBe(7.5); // b: 1.875 · 1 / 0.25
    expect(easyTime(arm, [1, 1], [0, NaN], speeds)).toBe(2);
  });
});

/** A client of a console whose programs have shown poses. */
function fake(poses: CoachPose[]): { show: (p: CoachPose) => void } {
  let show: (p: CoachPose) => void = () => undefined;
  return Object.assign({
    watch: () => expect.fail("no port to watch"),
    request: () => Promise.resolve({ poses }),
    onPose: (f: typeof show) => ((show = f), () => undefined),
    onState: () => () => undefined,
  }, { show: (p: CoachPose) => show(p) });
}
