import * as THREE from "three";
import { expect, test } from "vitest";
import type { Obstacle } from "../../lib/plans";
import { carriedAt, placed } from "./carried";

test("an obstacle is where it was until a link takes it, then in the link, and where it was left after that", () => {
  const [pose, there] = [{ p: [0, 0, 0.1], q: [0, 0, 0, 1] }, { p: [1, 2, 3], q: [0, 0, 0, 1] }] as const;
  const carry = (object: string, link: string, from: number, to: number) => ({ object, link, from, to, grip: { p: [...pose.p], q: [...pose.q] }, left: { p: [...there.p], q: [...there.q] } }) as Parameters<typeof carriedAt>[0][number];
  const objects = ["wall", "box"].map((name) => ({ name, ...pose, parts: [] }) as unknown as Obstacle);
  const carried = [carry("box", "hand", 1, 2), carry("box", "other", 5, 6)];
  const at = (time: number): string => carriedAt(carried, objects, time).map((c) => [c.obstacle.name, c.link, ...c.pose.p].join(" ")).join();
  expect([0.9, 1, 2, 2.1, 5.5, 7].map(at)).toEqual(["", "box hand 0 0 0.1", "box hand 0 0 0.1", "box  1 2 3", "box other 0 0 0.1", "box  1 2 3"]);
});

test("a carried obstacle moves and turns with its link, and rests without one", () => {
  const ghost = { pose: () => ({ position: new THREE.Vector3(1, 0, 0), quaternion: new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), Math.PI / 2) }) };
  const of = (link: string): number[] => {
    const { p, q } = placed({ obstacle: { name: "box", p: [9, 9, 9], q: [0, 0, 0, 1], parts: [] }, link, pose: { p: [0.5, 0, 0.1], q: [0, 0, 0, 1] } }, ghost);
    return [...p, ...q].map((x) => Math.round(x * 1e6) / 1e6 + 0);
  };
  expect(of("hand")).toEqual([1, 0.5, 0.1, 0, 0, 0.707107, 0.707107]);
  expect(of("")).toEqual([0.5, 0, 0.1, 0, 0, 0, 1]);
});
