import { describe, expect, it } from "vitest";
import { Derived } from "./derive";
import { FormulaError, readFormula, unitOf } from "./formula";
import { Ring } from "./ring";

function ring(samples: [number, number][]): Ring {
  const r = new Ring(64);
  for (const [time, value] of samples) r.push(time, value);
  return r;
}

const x = ring([[0, 1], [0.1, 2], [0.2, -3], [0.3, 0.5], [0.4, 4], [0.5, 2.5]]);
const y = ring([[0, 10], [0.15, 20], [0.3, -5], [0.5, 8]]);

function values(formula: string, rings: Map<string, Ring>, complete = true): number[] {
  const derived = new Derived(readFormula(formula), 64);
  derived.update(rings, complete);
  return Array.from({ length: derived.ring.end }, (_, i) => derived.ring.value(i));
}

describe("formulas", () => {
  // GNU Octave 7.3.0: t = (0:5)'*0.1; x = [1;2;-3;0.5;4;2.5]; yi = interp1([0;0.15;0.3;0.5], [10;20;-5;8], t);
  // each formula with elementwise operators, diff(v) as diff(v)./diff(t)
  const octave: [string, number[]][] = [
    ["2*a.x-a.y/4", [-0.5, -0.1666666667, -8.916666667, 2.25, 7.625, 3]],
    ["-(a.x+1)*(3-1.5)/2", [-1.5, -2.25, 1.5, -1.125, -3.75, -2.625]],
    ["diff(a.x)", [10, -50, 35, 35, -15]],
    ["sqrt(abs(a.x)) + sin(a.y)*cos(pi*a.x) - 1e-1", [1.444021111, 0.4957663092, 2.415193654, 0.6071067812, 2.897494987, 1.48113883]],
    ["a.x*a.y - a.x - a.y - 1", [-2, 13.66666667, -44.66666667, 1, -0.5, 8.5]],
    ["a.x/a.y/2*3", [0.15, 0.18, -0.3857142857, -0.15, 4, 0.46875]],
    [' diff( "a.x" · a.y ) ', [233.3333333, -683.3333333, 325, 85, 140]],
  ];
  it.each(octave)("%s agrees with Octave", (formula, expected) => {
    const rings = new Map([["a.x", x], ["a.y", y]]);
    const got = values(formula, rings);
    expect(got).toHaveLength(expected.length);
    got.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, 6));
  });

  const wrong: [string, number, RegExp][] = [
    ["", 0, /value is missing at the end/],
    ["1 + 2", 0, /needs a signal/],
    ["a.x +", 5, /missing at the end/],
    ["a.x + * 2", 6, /missing before “\*”/],
    ["(a.x", 4, /“\)” is missing/],
    ["a.x)", 3, /not expected/],
    ["a.x a.y", 4, /“a\.y” is not expected/],
    ["2 * foo(a.x)", 4, /no function or constant “foo”/],
    ["abs a.x", 4, /“\(” is missing after abs/],
    ["a.x # 2", 4, /unexpected “#”/],
    ['2 * "a.x', 4, /no closing/],
    ["a.x + a.gone", 6, /no a\.gone/],
    ["constructor(a.x)", 0, /no function/],
  ];
  it.each(wrong)("“%s” is an error at %i", (text, at, message) => {
    const check = (name: string): string => (name === "a.gone" ? "no a.gone" : "");
    try {
      readFormula(text, check);
      expect.fail("no error");
    } catch (e) {
      expect(e).toBeInstanceOf(FormulaError);
      expect((e as FormulaError).message).toMatch(message);
      expect((e as FormulaError).at).toBe(at);
    }
  });

  it("names groups, elements and quoted signals", () => {
    expect(readFormula('arm.left.pid.out[2] - "pid9.🤖 gone" - x.pose.position[0]').signals).toEqual(["arm.left.pid.out[2]", "pid9.🤖 gone", "x.pose.position[0]"]);
  });

  it("derives units", () => {
    const units = (signal: string): string => ({ "a.x": "rad", "a.v": "V", "a.n": "" })[signal] ?? "";
    const cases = { "a.x - 2": "rad", "2*a.x/3": "rad", "diff(a.x)": "rad/s", "integral(a.x)": "rad·s", "integral(diff(a.x))": "rad", "a.x*a.v": "rad·V", "a.x/a.v": "rad/V", "a.x/a.x": "", "a.x+a.v": "", "1/a.v": "1/V", "abs(-a.v)": "V", "sin(a.x)": "", "a.n*a.v": "V" };
    for (const [text, unit] of Object.entries(cases)) expect(unitOf(readFormula(text), units), text).toBe(unit);
  });
});

describe("Derived", () => {
  it("waits for the samples of other signals, unless they are silent", () => {
    const rings = new Map([["a.x", ring([[0, 1], [0.1, 2]])], ["a.y", ring([[0, 5]])]]);
    const derived = new Derived(readFormula("a.x + a.y"), 64);
    derived.update(rings, false);
    expect(derived.ring.end).toBe(1);
    rings.get("a.y")?.push(0.1, 6);
    derived.update(rings, false);
    expect(derived.ring.value(1)).toBe(8);
    rings.get("a.x")?.push(1.5, 3);
    derived.update(rings, false);
    expect(derived.ring.value(2)).toBe(9); // a.y holds its last value
  });

  it("starts again after a restart, and keeps breaks without counting gaps", () => {
    const a = ring([[5, 1], [6, 3]]);
    a.breakLine();
    a.push(7, 10);
    a.push(8, 14);
    const derived = new Derived(readFormula("diff(a.x)"), 64);
    derived.update(new Map([["a.x", a]]), false);
    expect([derived.ring.at(6), derived.ring.at(8), derived.ring.gaps.nan]).toEqual([2, 4, 0]);
    a.push(0, 1);
    a.push(1, 2);
    derived.update(new Map([["a.x", a]]), false);
    expect([derived.ring.end, derived.ring.at(1)]).toEqual([1, 1]);
    const other = new Map([["a.x", ring([[0, 0], [1, 7]])]]);
    derived.update(other, true);
    expect(derived.ring.at(1)).toBe(7);
  });

  it("integrates, without what is not finite, and from zero after a break", () => {
    const a = ring([[0, 0], [1, 2], [2, 2], [3, 4]]); // trapezia of 1, 2 and 3
    expect(values("integral(a.x)", new Map([["a.x", a]]))).toEqual([0, 1, 3, 6]);
    expect(values("integral(1 / a.x)", new Map([["a.x", ring([[0, 1], [1, 0], [2, 2], [3, 2]])]]))).toEqual([0, NaN, 0, 0.5]);
    const line = ring(Array.from({ length: 51 }, (_, i): [number, number] => [i / 50, 2 * (i / 50)])); // of 2 t: t²
    expect(values("integral(a.x)", new Map([["a.x", line]])).at(-1)).toBeCloseTo(1, 12);
    a.breakLine();
    a.push(4, 8);
    a.push(5, 8);
    expect(values("integral(a.x)", new Map([["a.x", a]])).slice(-2)).toEqual([0, 8]);
  });

  it("reports what is not finite", () => {
    expect(values("1 / a.x", new Map([["a.x", ring([[0, 1], [1, 0], [2, 2]])]]))).toEqual([1, NaN, 0.5]);
  });
});
