import { expect, test } from "vitest";
import walker from "../../mock/data/walker.json";
import type { Structure } from "../../lib/wire";
import { build, leadingTo, rows } from "./tree";

const structure = walker.structure as Structure;
const byGroup = build(structure, "group");

test("groups nest, and hold every block once", () => {
  const blocks: string[] = [];
  const walk = (ns: typeof byGroup): void => ns.forEach((n) => (n.kind === "block" ? blocks.push(n.id) : walk(n.children)));
  walk(byGroup);
  expect(blocks.sort()).toEqual(structure.blocks.map((b) => b.name).sort());
});

test("only what is open is shown", () => {
  const closed = rows(byGroup, new Set(), "");
  expect(closed.map((r) => r.node.label)).toEqual(["robot", "legs", "body"]);
  const open = rows(byGroup, new Set(["body"]), "");
  expect(open.map((r) => r.node.label)).toEqual(["robot", "legs", "body", "posture", "gait", "drive"]);
});

test("a search shows what matches all words, and what leads there", () => {
  const found = rows(byGroup, new Set(), "left_rear coxa");
  expect(found.length).toBeGreaterThan(3);
  expect(found[0]?.node.id).toBe("legs");
  expect(found.every((r) => r.node.id.startsWith("legs"))).toBe(true);
  expect(rows(byGroup, new Set(), "no such thing")).toEqual([]);
});

test("what leads to a reference", () => {
  expect(leadingTo(byGroup, "legs.left_front.servos.coxa")).toEqual(["legs", "legs.left_front", "legs.left_front.servos"]);
  expect(leadingTo(byGroup, "nowhere")).toEqual([]);
});

test("by threads every thread is a group", () => {
  expect(build(structure, "thread").map((n) => n.label).sort()).toEqual(["body", "legs", "machine"]);
});
