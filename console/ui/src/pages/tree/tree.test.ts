import { expect, test } from "vitest";
import walker from "../../mock/data/walker.json";
import type { Structure } from "../../lib/wire";
import { ancestorsOf, build, rows } from "./tree";

const structure = walker.structure as Structure;
const byGroup = build(structure, "group");

test("groups nest and contain every block once", () => {
  const blocks: string[] = [];
  const walk = (ns: typeof byGroup): void => ns.forEach((n) => (n.kind === "block" ? blocks.push(n.id) : walk(n.children)));
  walk(byGroup);
  expect(blocks.sort()).toEqual(structure.blocks.map((b) => b.name).sort());
});

test("rows shows only the contents of open nodes", () => {
  const closed = rows(byGroup, new Set(), "");
  expect(closed.map((r) => r.node.label)).toEqual(["robot", "legs", "body"]);
  const open = rows(byGroup, new Set(["body"]), "");
  expect(open.map((r) => r.node.label)).toEqual(["robot", "legs", "body", "posture", "gait", "drive"]);
});

test("a group has its ports as leaves behind its members", () => {
  const groups = [{ name: "legs.left_front", level: 0, levels: 3, ports: [{ name: "vx", kind: "input" as const, type: "float64", half: "control" as const, behind: ["legs.left_front.stepper.vx"] }] }];
  const tree = build({ ...structure, groups }, "group");
  const leg = tree.find((n) => n.id === "legs")?.children.find((n) => n.id === "legs.left_front");
  expect(leg?.children.map((n) => `${n.kind} ${n.label}`)).toEqual(["block servos", "block kinematics", "block stepper", "input vx"]);
  expect(leg?.children[3]).toMatchObject({ id: "legs.left_front.vx", port: { half: "control" } });
});

test("a query shows nodes that match all words, with their ancestors", () => {
  const found = rows(byGroup, new Set(), "left_rear coxa");
  expect(found.length).toBeGreaterThan(3);
  expect(found[0]?.node.id).toBe("legs");
  expect(found.every((r) => r.node.id.startsWith("legs"))).toBe(true);
  expect(rows(byGroup, new Set(), "no such thing")).toEqual([]);
});

test("ancestorsOf lists groups and blocks above a node", () => {
  expect(ancestorsOf(byGroup, "legs.left_front.servos.coxa")).toEqual(["legs", "legs.left_front", "legs.left_front.servos"]);
  expect(ancestorsOf(byGroup, "nowhere")).toEqual([]);
});

test("ordered by thread, every thread is a group", () => {
  expect(build(structure, "thread").map((n) => n.label).sort()).toEqual(["body", "legs", "machine"]);
});
