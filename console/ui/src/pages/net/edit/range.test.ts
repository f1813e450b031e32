import { describe, expect, test } from "vitest";
import short from "../../../../../../examples/row/row.yaml?raw";
import type { Port } from "../../../lib/wire";
import { compose } from "./compose";
import { removedBlocks } from "./dangling";
import { flat } from "./flat";
import { read, resolvedParams, type FileBlock } from "./netfile";
import { addLink, remove, rename, setParam } from "./patch";
import { covers, gathered, numbered, spread } from "./range";

// The forty joints with each link of two ports on a line of its own.
const links = `links:
  - generator.position -> bridge_ref.position
  - generator.velocity -> bridge_ref.velocity
  - generator.acceleration -> bridge_ref.acceleration
  - bridge_ref.reference -> controller.reference
  - sampler.sample -> sensor.sample
  - sampler.sample -> controller.sample
  - sampler.sample -> actuator.sample
  - sensor.sensor -> controller.sensor
  - controller.act -> actuator.act
  - sampler.sample -> joint{1-40}.sample
  - card{1-40}.displacement -> joint\${i}.displacement_sensor
  - card{1-40}.index -> joint\${i}.index_sensor
  - joint{1-40}.position -> sensor.position\${i}
  - joint{1-40}.displacement -> sensor.displacement\${i}
  - controller.ref{1-40} -> pid\${i}.ref
  - controller.sen{1-40} -> pid\${i}.sen
  - pid{1-40}.out -> controller.out\${i}
  - actuator.voltage{1-40} -> joint\${i}.voltage
  - actuator.acted -> joint{1-40}.act

`;
const row = short.replace(/^links:[^]*?(?=^record:)/m, () => links);
const f = read(row);

test("a range covers its numbers, its parts and ${i}", () => {
  for (const other of ["joint1", "joint40", "joint{1-40}", "joint{2-9}", "joint${i}", "joint{30-50}"]) expect(covers("joint{1-40}", other), other).toBe(true);
  for (const other of ["joint", "joint0", "joint41", "joint4x", "joints1", "joint{41-50}", "pid1"]) expect(covers("joint{1-40}", other), other).toBe(false);
  expect(covers("joint{1-${n}}", "joint99")).toBe(true);
  expect(covers("joint1", "joint{1-40}")).toBe(false);
  expect(spread("a{1-3}.out", "b.in${i}")).toEqual({ from: "a{1-3}.out", to: "b.in{1-3}" });
  expect(gathered("a{1-3}.out", "b{1-3}.in")).toEqual({ from: "a{1-3}.out", to: "b${i}.in" });
  expect(numbered("a{9-11}")).toEqual(["a9", "a10", "a11"]);
});

test("a range is drawn as one block, with one port for those of a range", () => {
  const port = (name: string, kind: Port["kind"]): Port => ({ name, kind, type: "float64" });
  const ports = Array.from({ length: 40 }, (_, i) => [port(`position${i + 1}`, "input"), port(`displacement${i + 1}`, "input")]).flat();
  const net = compose(f, { typeOf: (b) => (b.name === "sensor" ? { ports: [port("sample", "input"), ...ports], params: [], operations: [] } : undefined), fileOf: () => undefined });
  expect(net.blocks.map((b) => b.name)).toContain("joint{1-40}");
  expect(net.links).toHaveLength(19);
  expect(net.links).toContainEqual({ from: "card{1-40}.displacement", to: "joint{1-40}.displacement_sensor", delay: false, every: 0 });
  const sensor = net.blocks.find((b) => b.name === "sensor");
  expect(sensor?.ports?.map((p) => [p.name, p.from])).toEqual([["sample", "sampler.sample"], ["position{1-40}", "joint{1-40}.position"], ["displacement{1-40}", "joint{1-40}.displacement"]]);
});

describe("edits keep ranges", () => {
  test("a parameter of a range", () => {
    expect(setParam(f, "pid{1-40}", "kp", 50)).toBe(row.replace("kp: 40", "kp: 50"));
  });
  test("a new name of a block that ranges are linked to", () => {
    expect(rename(f, "sensor", "eyes").text).toContain("- joint{1-40}.position -> eyes.position${i}\n");
  });
  test("a removed range goes with its links", () => {
    const text = remove(f, ["joint{1-40}"]);
    expect(text).not.toMatch(/joint(\{|\$)/);
    expect(flat(read(text)).links).toHaveLength(12);
  });
  test("a new link of two ranges", () => {
    expect(addLink(f, "card{1-40}.index", "pid{1-40}.ref")).toContain('- "card{1-40}.index -> pid${i}.ref"\n');
  });
});

test("the ports of repeated groups lead to the blocks behind them", () => {
  const g = read('groups:\n  leg{1-6}:\n    blocks: {"knee{1-2}": {type: t.T}}\n    ports: {"out{1-2}": "knee${i}.out"}\nblocks: {a: {type: t.T}}\nlinks:\n  - leg2.out1 -> a.in\n  - leg{1-6}.out2 -> a.in[${i}]\n');
  expect(flat(g).links.map((l) => `${l.from} -> ${l.to}`)).toEqual(["leg{1-6}.knee{1-2}.out -> a.in", "leg{1-6}.knee{1-2}.out -> a.in[{1-6}]"]);
});

test("parameters of a range have its first number", () => {
  const [b] = read('blocks: {"card{3-5}": {type: t.T, params: {axis: "${i}", name: "axis${i}"}}}').blocks as [FileBlock];
  expect(resolvedParams(b)).toEqual({ axis: 3, name: "axis3" });
});

test("blocks of a shorter range are removed blocks", () => {
  expect(removedBlocks(read("blocks: {'a{1-4}': {type: t.T}}"), read("blocks: {'a{1-3}': {type: t.T}}"))).toEqual(["a4"]);
});
