import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { limbsOf, type TreeJoint } from "./limbs";

/** Returns a chain of joints behind another one. */
function chain(parent: string | null, ...names: string[]): TreeJoint[] {
  return names.map((name, i) => ({ name, parent: i === 0 ? parent : (names[i - 1] ?? null) }));
}

test("a chain is one limb, named by what its joints have in common", () => {
  expect(limbsOf(chain(null, "panda_joint1", "panda_joint2", "panda_joint3"))).toEqual([{ name: "panda", joints: ["panda_joint1", "panda_joint2", "panda_joint3"] }]);
  expect(limbsOf(chain(null, "shoulder_pan_joint", "elbow_joint"))[0]?.name).toBe("shoulder_pan_joint … elbow_joint");
});

test("the tree is split at its branches", () => {
  const joints = [...chain(null, "torso1", "torso2"), ...chain("torso2", "left_arm1", "left_arm2"), ...chain("torso2", "right_arm1", "right_arm2"), ...chain("left_arm2", "leftFinger1")];
  expect(limbsOf(joints).map((l) => [l.name, l.joints.length])).toEqual([["torso", 2], ["left", 3], ["right arm", 2]]);
});

test("single joints at the same branch are one limb", () => {
  const wheels = ["front_left_wheel", "front_right_wheel", "rear_left_wheel"].flatMap((n) => chain(null, n));
  expect(limbsOf([...wheels, ...chain(null, "arm1", "arm2")]).map((l) => l.name)).toEqual(["wheel", "arm"]);
});

test("equal names are distinguished by the first joint", () => {
  expect(limbsOf([...chain(null, "leg_a1", "leg_b1"), ...chain(null, "leg_c1", "leg_d1")]).map((l) => l.name)).toEqual(["leg: leg_a1", "leg: leg_c1"]);
});

test("the torso has a trunk, arms and fingers; the walker six legs", () => {
  const read = (path: string): TreeJoint[] => {
    const text = readFileSync(new URL(`../../../../../models/${path}`, import.meta.url), "utf8");
    const all = [...text.matchAll(/<joint name="([^"]+)" type="(\w+)">([\s\S]*?)<\/joint>/g)].map((m) => ({ name: m[1] ?? "", moves: m[2] !== "fixed" && !(m[3] ?? "").includes("<mimic"), from: /parent link="([^"]+)"/.exec(m[3] ?? "")?.[1], to: /child link="([^"]+)"/.exec(m[3] ?? "")?.[1] }));
    const carrier = (link: string | undefined): string | null => {
      const j = all.find((x) => x.to === link);
      return j === undefined ? null : j.moves ? j.name : carrier(j.from);
    };
    return all.filter((j) => j.moves).map((j) => ({ name: j.name, parent: carrier(j.from) }));
  };
  const hand = (side: string): string[] => ["arm", "ring", "fore", "middle", "thumb"].map((limb) => `${side} ${limb}`);
  expect(limbsOf(read("torso/torso.urdf")).map((l) => l.name).sort()).toEqual(["torso", ...hand("left"), ...hand("right")].sort());
  expect(limbsOf(read("walker/walker.urdf")).map((l) => l.name)).toEqual(["left", "right"].flatMap((side) => ["front", "middle", "rear"].map((at) => `${side} ${at}`)));
});
