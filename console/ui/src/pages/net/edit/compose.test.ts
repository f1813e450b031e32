import { expect, test } from "vitest";
import janus from "../../../../../../examples/janus/janus.yaml?raw";
import leg from "../../../../../../examples/walker/leg.yaml?raw";
import legs from "../../../../../../examples/walker/legs.yaml?raw";
import walker from "../../../../../../examples/walker/walker.yaml?raw";
import recorded from "../../../mock/data/walker.json";
import type { Block, Port } from "../../../lib/wire";
import { compose, type Lookup } from "./compose";
import { group, ungroup } from "./group";
import { dangling, movesIn, removedBlocks, scriptOf } from "./dangling";
import { resolvedParams, read, type FileBlock } from "./netfile";
import { moveInPanel } from "./panelrefs";
import { followingNotes } from "./panels";
import { movedRef } from "./renamed";
import { faultOf, offsetOf, placeAt } from "./places";

const types = new Map((recorded.structure.blocks as Block[]).map((b) => [b.type, { ports: (b.ports ?? []).map(({ from: _, ...p }): Port => p), params: b.params, operations: b.operations }]));
const known: Lookup = {
  typeOf: (b) => types.get(b.type),
  fileOf: (g) => (g.include === "legs.yaml" ? read(legs, "legs.") : g.include === "leg.yaml" ? read(leg, undefined) : undefined),
};

test("a group with its own file exposes its ports with their inner types", () => {
  const net = compose(read(walker), known);
  const ports = net.blocks.find((b) => b.name === "legs")?.ports ?? [];
  expect(ports.find((p) => p.name === "left_front_coxa_reading")).toMatchObject({ kind: "input", type: "float64", unit: "rad", from: "robot.angle1" });
  expect(ports.find((p) => p.name === "foot_x1")).toMatchObject({ kind: "output", type: "float64" });
  const unread = net.blocks.find((b) => b.name === "body"); // its file is unknown: ports come from links
  expect(unread?.ports?.find((p) => p.name === "vx")?.kind).toBe("output");
});

test("a group in the file is drawn with its blocks, an empty group as well", () => {
  const net = compose(read("blocks:\n  a: {run: [x], out: [y]}\ngroups:\n  g:\n    blocks: {b: {type: t.T}}\n    ports: {in: b.in}\n  none: {blocks: {}}\nlinks:\n  - a.y -> g.in[2]\n"), known);
  expect(net.blocks.map((b) => [b.name, b.ports?.map((p) => p.name)])).toEqual([["a", ["y"]], ["g.b", ["in"]]]);
  expect(net.links).toMatchObject([{ from: "a.y", to: "g.b.in[2]" }]);
  expect(net.groups?.map((g) => g.name)).toEqual(["g", "none"]);
});

test("linked blocks of other files are drawn", () => {
  const other = { block: read("blocks: {far: {type: hexapod.Locomotion, thread: t}}").blocks[0] as FileBlock, file: "base.yaml" };
  const net = compose(read("blocks: {a: {type: t.T}}\nlinks: [far.walk_vx -> a.in, nowhere.x -> a.y]"), { ...known, elsewhere: (name) => (name === "far" ? other : undefined) });
  expect(net.blocks.map((b) => [b.name, b.file])).toEqual([["a", undefined], ["far", "base.yaml"]]);
  expect(net.blocks[1]?.ports?.find((p) => p.name === "walk_vx")?.kind).toBe("output");
});

test("resolvedParams substitutes the group's values", () => {
  const b = read(leg).blocks.find((x) => x.name === "kinematics");
  expect(b && resolvedParams(b)).toEqual({ x: 0, y: 0, yaw: 0 });
});

test("placeAt finds the block or link in a line", () => {
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

test("dangling lists panels that bind renamed blocks, and the script", () => {
  const before = read(janus);
  const now = read(group(before, ["pid1", "pid2"], "control").text);
  const gone = removedBlocks(before, now);
  expect(gone).toEqual(["pid1", "pid2"]);
  const panels = new Map([
    ["tune", 'widgets: [{bind: {param: pid1.kp}}, {signals: ["pid10.out", scope.error1, pid2.out]}]'],
    ["other", "title: pid1"],
  ]);
  const none = new Map<string, string>();
  expect(movesIn(before, now, new Map([["pid2", "control.pid2"], ["pid1", "gone"]]), []).blocks).toEqual(new Map([["pid2", "control.pid2"]]));
  expect(movesIn(before, now, new Map([["pid2", "control.pid2"]]), ["a", "b"]).blocks).toEqual(new Map([["a.pid2", "a.control.pid2"], ["b.pid2", "b.control.pid2"]]));
  expect(dangling(gone, new Map([["pid2", "control.pid2"]]), panels, scriptOf(now))).toEqual([
    { where: "panel tune", names: ["pid1.kp"] },
    { where: "script moves.star", names: ["may use pid1, pid2; check it"] },
  ]);
  expect(dangling([], none, panels, "x")).toEqual([]);
});

test("references to the ports of a dissolved group become those behind them", () => {
  const saved = read(`system: s
groups:
  arm:
    blocks:
      pid: {type: t.T}
      wave: {type: t.T}
    groups:
      hand:
        blocks:
          grip: {type: t.T}
        ports:
          force: grip.force
    ports:
      u: pid.out
      second: "wave.out[1]"
      rest: "wave.out[2:5]"
      force: hand.force
`);
  const ungrouped = ungroup(saved, "arm");
  const moves = movesIn(saved, read(ungrouped.text), ungrouped.renamed, []);
  const now = (ref: string): string => movedRef(moves, ref);
  expect(["arm.u", "arm.u[3]", "arm.u[1:3]", "arm.second", "arm.rest[1]", "arm.rest", "arm.rest[1:3]", "arm.rest[2,0]", "arm.rest[3]", "arm.rest[1:4]", "arm.force", "arm.pid.kp", "arm.hand.force"].map(now)).toEqual([
    "pid.out", "pid.out[3]", "pid.out[1:3]", "wave.out[1]", "wave.out[3]", "wave.out[2:5]", "wave.out[3:5]", "wave.out[4,2]", "arm.rest[3]", "arm.rest[1:4]", "hand.grip.force", "pid.kp", "hand.force",
  ]);
  const panel = "widgets: [{bind: {port: arm.u}}, {signals: ['arm.rest[0]', 'arm.rest[1:3]', arm.pid.kp]}]\n";
  expect(moveInPanel(panel, moves)).toBe("widgets: [{bind: {port: pid.out}}, {signals: ['wave.out[2]', 'wave.out[3:5]', pid.kp]}]\n");
  expect(followingNotes(new Map([["p", { yaml: panel, version: "" }]]), moves)).toEqual(["panel p: arm.pid → pid, arm.u → pid.out, arm.rest[0] → wave.out[2], arm.rest[1:3] → wave.out[3:5]"]);
  expect(movesIn(saved, saved, new Map(), []).ports).toEqual(new Map());
  expect(movesIn(saved, read(ungrouped.text), ungrouped.renamed, ["a", "b"]).ports.get("b.arm.u")).toBe("b.pid.out");
});
