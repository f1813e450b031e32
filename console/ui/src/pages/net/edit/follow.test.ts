import { expect, test } from "vitest";
import { followed } from "./follow";
import { group, ungroup } from "./group";
import { move } from "./move";
import { find, read, type NetFile } from "./netfile";
import { rename } from "./patch";
import type { EditResult } from "./refs";

const file = read(`system: test
blocks:
  a: {type: t}
  b: {type: t}
  c: {type: t}
groups:
  arm:
    blocks:
      wrist: {type: t}
links:
  - a.out -> b.in
  - b.out -> c.in
`);
const places = new Map([
  ["a", { x: 300, y: 40 }],
  ["b", { x: 100, y: 90 }],
  ["arm", { x: 500, y: 200 }],
  ["arm.wrist", { x: 7, y: 8 }],
]);

function after(before: NetFile, step: EditResult, at = places): Record<string, number[]> {
  const now = read(step.text);
  const is = (f: NetFile) => (name: string): boolean => find(f, name) !== undefined;
  return Object.fromEntries([...followed(at, step.renamed, is(before), is(now))].map(([name, p]) => [name, [p.x, p.y]]));
}

test("a renamed block and the contents of a renamed group keep their places", () => {
  expect(after(file, rename(file, "a", "z"))).toEqual({ z: [300, 40], b: [100, 90], arm: [500, 200], "arm.wrist": [7, 8] });
  expect(after(file, rename(file, "arm", "limb"))).toEqual({ a: [300, 40], b: [100, 90], limb: [500, 200], "limb.wrist": [7, 8] });
});

test("a new group takes the place of its boxes, and dissolving it restores theirs", () => {
  const grouped = group(file, ["a", "b", "c"], "control");
  const now = { control: [100, 40], "control.a": [200, 0], "control.b": [0, 50], arm: [500, 200], "arm.wrist": [7, 8] };
  expect(after(file, grouped)).toEqual(now);
  const inside = read(grouped.text);
  const there = new Map(Object.entries(now).map(([name, [x = 0, y = 0]]) => [name, { x, y }]));
  expect(after(inside, ungroup(inside, "control"), there)).toEqual({ a: [300, 40], b: [100, 90], arm: [500, 200], "arm.wrist": [7, 8] });
});

test("a group with places inside can be grouped as a whole", () => {
  expect(after(file, group(file, ["a", "arm"], "all"))).toEqual({ all: [300, 40], "all.a": [0, 0], "all.arm": [200, 160], "all.arm.wrist": [7, 8], b: [100, 90] });
});

test("a block that is moved into another group is arranged automatically there", () => {
  expect(after(file, move(file, ["a"], "arm"))).toEqual({ b: [100, 90], arm: [500, 200], "arm.wrist": [7, 8] });
});
