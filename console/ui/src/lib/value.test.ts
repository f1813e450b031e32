import { describe, expect, test } from "vitest";
import { count, duration, number, parse, show } from "./value";

describe("number", () => {
  test.each([
    [0, "0"],
    [12, "12"],
    [0.5, "0.5000"],
    [123.456789, "123.46"],
    [-0.00001236, "-1.236e-5"],
    [1e12 + 0.5, "1.000e+12"],
  ])("%d is %s", (v, text) => expect(number(v)).toBe(text));
});

test("show shortens what is long and names what is odd", () => {
  expect(show([1, "NaN", 2])).toBe("[1, NaN, 2]");
  expect(show({ n: 3 })).toBe("{n: 3}");
  expect(show(Array(100).fill(0), 5, 20)).toHaveLength(20);
  expect(show(undefined)).toBe("–");
});

describe("parse", () => {
  test("reads what each type takes", () => {
    expect(parse("1.5", "float64")).toBe(1.5);
    expect(parse("1,5", "float64")).toBe(1.5);
    expect(parse("-inf", "float64")).toBe("-Inf");
    expect(parse("on", "bool")).toBe(true);
    expect(parse(" a ", "string")).toBe(" a ");
    expect(parse("[1, 2]", "[2]float64")).toEqual([1, 2]);
  });
  test.each([
    ["1.5", "int64"],
    ["", "float64"],
    ["nan", "int64"],
    ["maybe", "bool"],
    ["1 2", "[2]float64"],
  ])("refuses %s as %s", (text, type) => expect(() => parse(text, type)).toThrow());
});

test("durations and counts", () => {
  expect(duration(1344)).toBe("1.34 µs");
  expect(duration(12_061_994)).toBe("12.1 ms");
  expect(count(1234567)).toBe("1\u2009234\u2009567");
});
