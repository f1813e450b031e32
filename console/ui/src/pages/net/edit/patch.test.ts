import { describe, expect, test } from "vitest";
import janus from "../../../../../../examples/janus/janus.yaml?raw";
import { group } from "./group";
import { read, type NetFile } from "./netfile";
import { addBlock, addLink, remove, removeLinks, rename, setKey, setParam } from "./patch";

/** Returns the lines removed and added between two texts. */
function changed(before: string, after: string): { removed: string[]; added: string[] } {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return { removed: a.filter((l) => !b.includes(l)), added: b.filter((l) => !a.includes(l)) };
}

function removeNamed(f: NetFile, from: string, to: string): string {
  return removeLinks(f, f.links.filter((l) => l.from === from && l.to === to));
}

test("parses a system file", () => {
  const f = read(janus);
  expect(f.problem).toBeUndefined();
  expect(f.threads.map((t) => t.name)).toEqual(["servo", "reference", "generator"]);
  expect(f.blocks.find((b) => b.name === "pid1")).toMatchObject({ name: "pid1", type: "servo.PID", thread: "servo", params: { kp: 80, ki: 3, kd: 100 } });
  expect(f.links).toHaveLength(31);
  expect(f.links[0]).toMatchObject({ from: "sampler.sample", to: "joint1.sample" });
});

test("invalid YAML is reported with its position", () => {
  expect(read("blocks: {a: [").problem).toMatchObject({ line: 1 });
  for (const t of ["", "x", "- a", "blocks: 3", "links: {}", "links: [3, {}]", "blocks:"]) expect(() => read(t)).not.toThrow();
});

describe("a change edits one line of janus.yaml", () => {
  const f = read(janus);

  test("parameter in flow style", () => {
    const t = setParam(f, "pid1", "kp", 95.5);
    expect(changed(janus, t)).toEqual({
      removed: ["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3, kd: 100}}"],
      added: ["  pid1:       {type: servo.PID, thread: servo, params: {kp: 95.5, ki: 3, kd: 100}}"],
    });
  });
  test("parameter in block style", () => {
    expect(changed(janus, setParam(f, "joint1", "cutoff", 30)).added).toEqual(["    params: {peer_name: aic01, brake: true, sampler: true, gear_ratio: 100, resolution: 2000, initial_pos: 0, cutoff: 30}"]);
  });
  test("first parameter of a block", () => {
    expect(changed(janus, setParam(f, "sampler", "n", 2)).added).toEqual(["  sampler: {type: servo.Sampler, thread: servo, params: {n: 2}}"]);
  });
  test("removed parameter", () => {
    expect(changed(janus, setParam(f, "pid1", "ki", undefined)).added).toEqual(["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, kd: 100}}"]);
    expect(changed(janus, setParam(f, "pid1", "kd", undefined)).added).toEqual(["  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3}}"]);
  });
  test("thread", () => {
    expect(changed(janus, setKey(f, "scope", "thread", "generator")).added).toEqual(["  scope: {type: flow.Scope, thread: generator, params: {signals: [error1, error2]}}"]);
  });
  test("new block at the end of its section", () => {
    const t = addBlock(f, "", "gain", "flow.Gain", "servo");
    expect(changed(janus, t)).toEqual({ removed: [], added: ["  gain: {type: flow.Gain, thread: servo}"] });
    expect(read(t).blocks.at(-1)?.name).toBe("gain");
  });
  test("new link at the end, and its removal", () => {
    const t = addLink(f, "pid1.out", "scope.error3");
    expect(changed(janus, t)).toEqual({ removed: [], added: ["  - pid1.out -> scope.error3"] });
    expect(removeNamed(read(t), "pid1.out", "scope.error3")).toBe(janus);
  });
});

test("removing a block removes only it and its links", () => {
  const t = remove(read(janus), ["pid2"]);
  const f = read(t);
  expect(f.blocks.some((b) => b.name === "pid2")).toBe(false);
  expect(f.links).toHaveLength(28);
  expect(changed(janus, t).added).toEqual([]);
  expect(changed(janus, t).removed).toHaveLength(4);
});

test("renaming a block updates its links", () => {
  const f = read(rename(read(janus), "pid1", "servo_1").text);
  expect(f.blocks.map((b) => b.name)).toContain("servo_1");
  expect(f.links.filter((l) => l.from.startsWith("servo_1.") || l.to.startsWith("servo_1."))).toHaveLength(3);
  expect(f.links.some((l) => l.from.startsWith("pid1.") || l.to.startsWith("pid1."))).toBe(false);
});

describe("other YAML styles", () => {
  test("missing sections are created", () => {
    let t = addBlock(read("system: a\n"), "", "wave", "flow.Wave", "");
    t = addBlock(read(t), "", "gain", "flow.Gain", "");
    t = addLink(read(t), "wave.out", "gain.in");
    expect(t).toBe("system: a\n\nblocks:\n  wave: {type: flow.Wave}\n  gain: {type: flow.Gain}\n\nlinks:\n  - wave.out -> gain.in\n");
    t = removeNamed(read(t), "wave.out", "gain.in");
    expect(read(t).links).toEqual([]);
  });
  test("flow style", () => {
    const text = "{system: a, blocks: {w: {type: flow.Wave}}, links: [w.a -> w.b]}";
    expect(addBlock(read(text), "", "g", "flow.Gain", "t")).toBe("{system: a, blocks: {w: {type: flow.Wave}, g: {type: flow.Gain, thread: t}}, links: [w.a -> w.b]}");
    expect(addLink(read(text), "w.c", "w.d")).toBe("{system: a, blocks: {w: {type: flow.Wave}}, links: [w.a -> w.b, w.c -> w.d]}");
    expect(read(remove(read(text), ["w"])).blocks).toEqual([]);
  });
  test("block style with comments", () => {
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

test("levels stay with their blocks, and new blocks and groups get one", () => {
  const text = "system: x\nlevels: 3\nblocks:\n  a: {type: t.T, level: 1}\n  b: {type: t.T, level: 2}\ngroups:\n  g:\n    level: 0\n    levels: 2\n    blocks: {c: {type: t.T, level: 1}}\n";
  const f = read(text);
  expect(f).toMatchObject({ levels: 3, blocks: [{ level: "1" }, { level: "2" }], groups: [{ level: "0", inner: { levels: 2 } }] });
  expect(setKey(f, "b", "level", 0)).toBe(text.replace("level: 2}", "level: 0}"));
  expect(setKey(f, "g", "level", 1)).toBe(text.replace("level: 0\n", "level: 1\n"));
  expect(addBlock(f, "", "d", "t.T", "")).toContain("  d: {type: t.T, level: 0}\n");
  expect(addBlock(f, "g", "d", "t.T", "")).toContain("d: {type: t.T, level: 0}");
  const grouped = read(group(f, ["a", "b"], "h").text);
  expect(grouped.groups.find((g) => g.name === "h")).toMatchObject({ level: "1", inner: { levels: 3, blocks: [{ level: "1" }, { level: "2" }] } });
});
