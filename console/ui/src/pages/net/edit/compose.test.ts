import { expect, test } from "vitest";
import janus from "../../../../../../examples/janus/janus.yaml?raw";
import leg from "../../../../../../examples/walker/leg.yaml?raw";
import legs from "../../../../../../examples/walker/legs.yaml?raw";
import walker from "../../../../../../examples/walker/walker.yaml?raw";
import recorded from "../../../mock/data/walker.json";
import type { Block, Port } from "../../../lib/wire";
import { compose, type Knowledge } from "./compose";
import { group } from "./group";
import { goneBlocks, lost, scriptOf } from "./lost";
import { givenTo, read, type FileBlock } from "./netfile";
import { faultOf, offsetOf, placeAt } from "./places";

const types = new Map((recorded.structure.blocks as Block[]).map((b) => [b.type, { ports: (b.ports ?? []).map(({ from: _, ...p }): Port => p), params: b.params, operations: b.operations }]));
const known: Knowledge = {
  typeOf: (b) => types.get(b.type),
  fileOf: (g) => (g.include === "legs.yaml" ? read(legs, "legs.") : g.include === "leg.yaml" ? read(leg, undefined) : undefined),
};

test("a group from a file of its own has the ports that it shows, as they are within", () => {
  const net = compose(read(walker), known);
  const ports = net.blocks.find((b) => b.name === "legs")?.ports ?? [];
  expect(ports.find((p) => p.name === "left_front_coxa_reading")).toMatchObject({ kind: "input", type: "float64", unit: "rad", from: "robot.angle1" });
  expect(ports.find((p) => p.name === "foot_x1")).toMatchObject({ kind: "output", type: "float64" });
  const unread = net.blocks.find((b) => b.name === "body"); // its file is not known: the ports that links name
  expect(unread?.ports?.find((p) => p.name === "vx")?.kind).toBe("output");
});

test("a group that is written in the file is drawn with its blocks, and an empty one, too", () => {
  const net = compose(read("blocks:\n  a: {run: [x], out: [y]}\ngroups:\n  g:\n    blocks: {b: {type: t.T}}\n    ports: {in: b.in}\n  none: {blocks: {}}\nlinks:\n  - a.y -> g.in[2]\n"), known);
  expect(net.blocks.map((b) => [b.name, b.ports?.map((p) => p.name)])).toEqual([["a", ["y"]], ["g.b", ["in"]]]);
  expect(net.links).toMatchObject([{ from: "a.y", to: "g.b.in[2]" }]);
  expect(net.groups?.map((g) => g.name)).toEqual(["g", "none"]);
});

test("blocks of other files that are linked here are drawn, too", () => {
  const other = { block: read("blocks: {far: {type: hexapod.Drive, thread: t}}").blocks[0] as FileBlock, file: "base.yaml" };
  const net = compose(read("blocks: {a: {type: t.T}}\nlinks: [far.walk_vx -> a.in, nowhere.x -> a.y]"), { ...known, elsewhere: (name) => (name === "far" ? other : undefined) });
  expect(net.blocks.map((b) => [b.name, b.file])).toEqual([["a", undefined], ["far", "base.yaml"]]);
  expect(net.blocks[1]?.ports?.find((p) => p.name === "walk_vx")?.kind).toBe("output");
});

test("parameters of a group's blocks have the values of the group", () => {
  const b = read(leg).blocks.find((x) => x.name === "kinematics");
  expect(b && givenTo(b)).toEqual({ x: 0, y: 0, yaw: 0 });
});

test("a fault is shown at what stands in its line", () => {
  const f = read(group(read(janus), ["pid1", "pid2"], "control").text);
  const line = (text: string): number => f.text.slice(0, f.text.indexOf(text)).split("\n").length;
  expect(placeAt(f, line("  pid2:"))).toEqual({ block: "control.pid2" });
  expect(placeAt(f, line("urdf: ../../models"))).toEqual({ block: "robot" });
  expect(placeAt(f, line("- controller.ref2"))).toEqual({ block: "control.pid2", link: "controller.ref2 -> control.pid2.ref" });
  expect(placeAt(f, line("      pid2_ref: pid2.ref"))).toEqual({ block: "control.pid2" });
  expect(placeAt(f, line("  control:"))).toEqual({ block: "control" });
  expect(placeAt(f, line("threads:"))).toBeUndefined();
  expect(offsetOf("ab\ncd", 2, 2)).toBe(4);
  expect(faultOf({ line: 3, column: 1, text: "no" }, "/a.yaml").file).toBe("/a.yaml");
});

test("panels that bind what has another name now are told, and the script", () => {
  const before = read(janus);
  const now = read(group(before, ["pid1", "pid2"], "control").text);
  const gone = goneBlocks(before, now);
  expect(gone).toEqual(["pid1", "pid2"]);
  const panels = new Map([
    ["tune", { widgets: [{ bind: { param: "pid1.kp" } }, { signals: ["pid10.out", "scope.error1"] }] }],
    ["other", { title: "pid" }],
  ]);
  expect(lost(gone, panels, scriptOf(now))).toEqual([
    { where: "panel tune", what: ["pid1.kp"] },
    { where: "script moves.star", what: ["may name pid1, pid2: look through it"] },
  ]);
  expect(lost([], panels, "x")).toEqual([]);
});
