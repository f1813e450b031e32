import { describe, expect, test } from "vitest";
import janus from "../../../../../../examples/janus/janus.yaml?raw";
import { read, type NetFile } from "./netfile";
import { addBlock, addLink, remove, removeLinks, rename, setKey, setParam } from "./patch";

/** Lines that one text has and the other has not. */
function changed(before: string, after: string): { gone: string[]; come: string[] } {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return { gone: a.filter((l) => !b.includes(l)), come: b.filter((l) => !a.includes(l)) };
}

function removeNamed(f: NetFile, from: string, to: string): string {
  return removeLinks(f, f.links.filter((l) => l.from === from && l.to === to));
}

test("reads what is in a file", () => {
  const f = read(janus);
  expect(f.problem).toBeUndefined();
  expect(f.threads.map((t) => t.name)).toEqual(["servo", "reference", "generator"]);
  expect(f.blocks.find((b) => b.name === "pid1")).toMatchObject({ name: "pid1", type: "servo.PID", thread: "servo", params: { kp: 80, ki: 3, kd: 100 } });
  expect(f.links).toHaveLength(30);
  expect(f.links[0]).toMatchObject({ from: "sampler.sample", to: "joint1.sample" });
});

test("text that is no YAML is told with its place", () => {
  expect(read("blocks: {a: [").problem).toMatchObject({ line: 1 });
  for (const t of ["", "x", "- a", "blocks: 3", "links: {}", "links: [3, {}]", "blocks:"]) expect(() => read(t)).not.toThrow();
});

describe("changes touch one line of Janus", () => {
  const f = read(janus);

  test("a parameter in braces", () => {
    const t = setParam(f, "pid1", "kp", 95.5);
    expect(changed(janus, t)).toEqual({
      gone: ["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3, kd: 100}}"],
      come: ["  pid1:       {type: servo.PID, thread: servo, params: {kp: 95.5, ki: 3, kd: 100}}"],
    });
  });
  test("a parameter in lines", () => {
    expect(changed(janus, setParam(f, "joint1", "cutoff", 30)).come).toEqual(["    params: {peer_name: aic01, sampler: sampler, gear_ratio: 100, resolution: 2000, initial_pos: 0, cutoff: 30}"]);
  });
  test("the first parameter of a block", () => {
    expect(changed(janus, setParam(f, "sampler", "n", 2)).come).toEqual(["  sampler: {type: servo.Sampler, thread: servo, params: {n: 2}}"]);
  });
  test("a parameter goes", () => {
    expect(changed(janus, setParam(f, "pid1", "ki", undefined)).come).toEqual(["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, kd: 100}}"]);
    expect(changed(janus, setParam(f, "pid1", "kd", undefined)).come).toEqual(["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3}}"]);
  });
  test("a thread", () => {
    expect(changed(janus, setKey(f, "scope", "thread", "generator")).come).toEqual(["  scope: {type: flow.Scope, thread: generator, params: {signals: [error1, error2]}}"]);
  });
  test("a block comes last in its section", () => {
    const t = addBlock(f, "", "gain", "flow.Gain", "servo");
    expect(changed(janus, t)).toEqual({ gone: [], come: ["  gain: {type: flow.Gain, thread: servo}"] });
    expect(read(t).blocks.at(-1)?.name).toBe("gain");
  });
  test("a link comes last, and goes", () => {
    const t = addLink(f, "pid1.out", "scope.error3");
    expect(changed(janus, t)).toEqual({ gone: [], come: ["  - pid1.out -> scope.error3"] });
    expect(removeNamed(read(t), "pid1.out", "scope.error3")).toBe(janus);
  });
});

test("a block goes with its links, and nothing else does", () => {
  const t = remove(read(janus), ["pid2"]);
  const f = read(t);
  expect(f.blocks.some((b) => b.name === "pid2")).toBe(false);
  expect(f.links).toHaveLength(27);
  expect(changed(janus, t).come).toEqual([]);
  expect(changed(janus, t).gone).toHaveLength(4);
});

test("another name changes the links, too", () => {
  const f = read(rename(read(janus), "pid1", "servo_1").text);
  expect(f.blocks.map((b) => b.name)).toContain("servo_1");
  expect(f.links.filter((l) => l.from.startsWith("servo_1.") || l.to.startsWith("servo_1."))).toHaveLength(3);
  expect(f.links.some((l) => l.from.startsWith("pid1.") || l.to.startsWith("pid1."))).toBe(false);
});

describe("files of other shapes", () => {
  test("sections are made where they lack", () => {
    let t = addBlock(read("system: a\n"), "", "wave", "flow.Wave", "");
    t = addBlock(read(t), "", "gain", "flow.Gain", "");
    t = addLink(read(t), "wave.out", "gain.in");
    expect(t).toBe("system: a\n\nblocks:\n  wave: {type: flow.Wave}\n  gain: {type: flow.Gain}\n\nlinks:\n  - wave.out -> gain.in\n");
    t = removeNamed(read(t), "wave.out", "gain.in");
    expect(read(t).links).toEqual([]);
  });
  test("everything in braces and brackets", () => {
    const text = "{system: a, blocks: {w: {type: flow.Wave}}, links: [w.a -> w.b]}";
    expect(addBlock(read(text), "", "g", "flow.Gain", "t")).toBe("{system: a, blocks: {w: {type: flow.Wave}, g: {type: flow.Gain, thread: t}}, links: [w.a -> w.b]}");
    expect(addLink(read(text), "w.c", "w.d")).toBe("{system: a, blocks: {w: {type: flow.Wave}}, links: [w.a -> w.b, w.c -> w.d]}");
    expect(read(remove(read(text), ["w"])).blocks).toEqual([]);
  });
  test("blocks in lines, with comments", () => {
    const text = "blocks:\n  a:\n    type: flow.Gain # loud\n    params:\n      gain: 2 # of two\n  # the end\nlinks: []\n";
    expect(setParam(read(text), "a", "gain", 3)).toBe(text.replace("gain: 2", "gain: 3"));
    expect(setParam(read(text), "a", "bias", 1)).toBe(text.replace("# of two\n", "# of two\n      bias: 1\n"));
    expect(addLink(read(text), "a.out", "a.in")).toContain("  - a.out -> a.in");
    expect(setKey(read(text), "a", "thread", "x")).toContain("\n    thread: x\n");
  });
  test("links with options", () => {
    const text = "links:\n  - {link: a.x -> b.y, delay: true}\n  - c.x -> d.y\n";
    const f = read(text);
    expect(f.links[0]).toMatchObject({ from: "a.x", to: "b.y", delay: true });
    expect(removeNamed(f, "a.x", "b.y")).toBe("links:\n  - c.x -> d.y\n");
  });
});
