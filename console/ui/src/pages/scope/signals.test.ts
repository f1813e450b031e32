import { describe, expect, it } from "vitest";
import type { Structure } from "../../lib/wire";
import { isScalar, leaf, leaves, search, signalsOf, splitName, toWatch, withUnits } from "./signals";

const structure = {
  blocks: [
    { name: "leg.left", type: "t", thread: "x", params: [], operations: [], ports: [
      { name: "ref", kind: "input", type: "float64" },
      { name: "angle 🦿", kind: "output", type: "float64[]", unit: "rad", doc: "bend of the knee" },
    ] },
    { name: "empty", type: "t", thread: "x", params: null, operations: null, ports: null },
  ],
} as unknown as Structure;
const signals = signalsOf(structure);
const known = new Map(signals.map((s) => [s.ref, s]));

describe("signals", () => {
  it("signalsOf lists outputs first", () => {
    expect(signals.map((s) => s.ref)).toEqual(["leg.left.angle 🦿", "leg.left.ref"]);
  });
  it("search matches names before docs", () => {
    expect(search(signals, "left re").map((s) => s.ref)).toEqual(["leg.left.ref"]);
    expect(search(signals, "knee rad").map((s) => s.ref)).toEqual(["leg.left.angle 🦿"]);
    expect(search(signals, "nothing")).toEqual([]);
  });
  it("withUnits adds units from current ports", () => {
    const bare = { type: "float64", unit: "", doc: "", kind: "out" };
    const recorded = [{ ...bare, ref: "leg.left.angle 🦿[2]" }, { ...bare, ref: "gone.x" }, { ...bare, ref: "leg.left.angle 🦿", unit: "deg" }];
    expect(withUnits(recorded, signals).map((s) => s.unit)).toEqual(["rad", "", "deg"]);
  });
  it("isScalar recognizes scalar types", () => {
    expect(["float64", "bool", "int8", "float64[]", "float64[3]", "pkg/msg/T"].map(isScalar)).toEqual([true, true, true, false, false, false]);
  });
  it("leaves and leaf address nested numbers", () => {
    const value = { q: [1, [2, "NaN"]], name: "x", on: true };
    expect(leaves(value)).toEqual([".q[0]", ".q[1][0]", ".q[1][1]", ".on"]);
    expect(leaves(value).map((p) => leaf(value, p))).toEqual([1, 2, "NaN", true]);
    expect(leaf(value, ".gone[7]")).toBe("NaN");
    expect(leaf(5, "")).toBe(5);
  });
  it("splitName splits at existing ports", () => {
    expect(splitName("leg.left.angle 🦿[2]", known)).toEqual({ ref: "leg.left.angle 🦿", path: "[2]" });
    expect(splitName("leg.left.ref.position[1]", known)).toEqual({ ref: "leg.left.ref", path: ".position[1]" });
    expect(splitName("gone.port[3]", known)).toEqual({ ref: "gone.port", path: "[3]" });
    expect(toWatch("a.b", "[2]")).toEqual({ ref: "a.b", element: 2 });
    expect(toWatch("a.b", ".q[2]")).toEqual({ ref: "a.b" });
  });
});
