import { describe, expect, it } from "vitest";
import type { Structure } from "../../lib/wire";
import { KINDS } from "./kinds";
import { readChoices, readJSON, formatChoices } from "./options";
import { bindingOf, targetsFor } from "./targets";

describe("options", () => {
  it("readJSON accepts JSON, words and empty text", () => {
    expect(readJSON("[[1, 1], 5]")).toEqual({ value: [[1, 1], 5] });
    expect(readJSON("walk")).toEqual({ value: "walk" });
    expect(readJSON(" ")).toEqual({ value: undefined });
    expect(readJSON("[1,")).toBeNull();
  });

  it("choices survive formatting and reading", () => {
    const lines = "0 stand up\n1 walk\ntrue";
    expect(readChoices(lines)).toEqual([{ value: 0, text: "stand up" }, { value: 1, text: "walk" }, { value: true, text: "true" }]);
    expect(formatChoices(readChoices(lines))).toBe(lines);
  });
});

describe("targets", () => {
  const structure = {
    blocks: [{ name: "pid", type: "t", thread: "x", ports: [{ name: "ref", kind: "input", type: "float64" }, { name: "out", kind: "output", type: "float64", unit: "V" }], params: [{ name: "kp", type: "float64" }, { name: "n", type: "int64", fixed: true }], operations: [{ name: "home", args: null }] }],
  } as unknown as Structure;
  const role = (type: string): (typeof KINDS)[number]["roles"][number] => KINDS.find((k) => k.type === type)?.roles[0] ?? { name: "value", label: "", kinds: [], writes: false };

  it("targetsFor lists what a role can bind", () => {
    expect(targetsFor(structure, role("slider")).map((t) => t.ref)).toEqual(["pid.kp", "pid.ref"]);
    expect(targetsFor(structure, role("number")).map((t) => t.ref)).toEqual(["pid.kp", "pid.n", "pid.ref", "pid.out"]);
    expect(targetsFor(structure, role("button")).map((t) => t.ref)).toEqual(["pid.kp", "pid.home", "pid.ref"]);
  });

  it("bindingOf resolves a name", () => {
    const targets = targetsFor(structure, role("number"));
    expect(bindingOf("pid.kp", targets, role("number"))).toEqual({ kind: "param", ref: "pid.kp" });
    expect(bindingOf("pid.out[2]", targets, role("number"))).toEqual({ kind: "port", ref: "pid.out[2]" });
    expect(bindingOf("gone.x", targets, role("number"))).toEqual({ kind: "port", ref: "gone.x" });
    expect(bindingOf(" ", targets, role("number"))).toBeNull();
  });
});
