import { describe, expect, test } from "vitest";
import { brief, count, duration, elapsed, millimetres, number, parse, show } from "./value";

describe("number", () => {
  test.each([
    [0, "0"],
    [12, "12"],
    [0.5, "0.5000"],
    [123.456789, "123.46"],
    [-0.00001236, "−1.236e−5"],
    [-0, "0"],
    [1e12 + 0.5, "1.000e12"],
    [-3, "−3"],
  ])("formats %d as %s", (v, text) => expect(number(v)).toBe(text));

  test("what is rounded to zero has no sign", () => expect([number(-0.0004, 3), number(-0.004, 3), number(-0.006, 3)]).toEqual(["0.00", "0.00", "−0.01"]));

  test("with the few digits of a label, a smaller number never shows more than a greater one", () => expect([0.0003, 0.00005, -1e-17].map((v) => number(v, 4))).toEqual(["0.000", "0.000", "0.000"]));
});

describe("show", () => {
  test("names NaN and missing values", () => {
    expect(show([1, "NaN", 2])).toBe("[1, NaN, 2]");
    expect(show({ n: 3 })).toBe("{n: 3}");
    expect(show(undefined)).toBe("–");
    expect(show("a long text without numbers", 5, 12)).toBe("a long text…");
  });

  test("ends a list after a whole element", () => {
    expect(show([1234.5, 6789.25, 1], 5, 18)).toBe("[1234.5, …]");
    expect(show([12345678.9], 4, 6)).toBe("[…]");
    expect(show({ a: 12345, b: 6789 }, 5, 14)).toBe("{a: 12345, …}");
    for (let most = 8; most < 40; most++) expect(show(Array(100).fill(123456), 5, most).length).toBeLessThanOrEqual(most);
  });

  test("shows how many elements a value with a length of its own has, and the first", () => {
    const cdr = (bytes: number[]): string => btoa(String.fromCharCode(0, 1, 0, 0, ...bytes));
    const image = { type: "sinew_msgs/msg/UInt8ArrayUpTo9000", schema: "uint8[<=9000] data\n", elements: 3, cdr: cdr([3, 0, 0, 0, 7, 8, 255]) };
    expect(show(image)).toBe("3 × uint8 [7, 8, 255]");
    const scan = { type: "t", schema: "float64[<=9] data\n", elements: 1, cdr: cdr([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]) };
    expect(show(scan)).toBe("1 × float64 [1.5000]");
    expect(show({ ...image, elements: 0, cdr: cdr([0, 0, 0, 0]) })).toBe("0 × uint8");
    expect(show({ ...image, elements: 300000, cdr: undefined as unknown as string })).toBe("300\u2009000 × uint8");
    expect(show({ type: "t", schema: "geo_msgs/Point[<=5] data\n====\nMSG: geo_msgs/Point\nfloat64 x\n", elements: 2, cdr: "" })).toBe("2 × Point");
    const long = { ...image, elements: 100, cdr: cdr([100, 0, 0, 0, ...Array<number>(100).fill(5)]) };
    expect(show(long, 5, 30)).toMatch(/^100 × uint8 \[5, .*…\]$/);
  });
  test("never shortens a number", () => {
    expect(show(-123456789, 4, 5)).toBe("−123456789");
    expect(show(123456.789, 6, 5)).toBe("123457");
  });
});

test("brief rounds only what does not fit", () => {
  expect(brief(80)).toBe("80");
  expect(brief(0.1 + 0.2)).toBe("0.30000");
  expect(brief(12345678901234)).toBe("1.2346e13");
  expect(brief("a text longer than ten")).toBe("a text longer than ten");
  expect(brief([1, 2])).toBe("[1,2]");
});

describe("parse", () => {
  test("parses each type", () => {
    expect(parse("1.5", "float64")).toBe(1.5);
    expect(parse("1,5", "float64")).toBe(1.5);
    expect(parse(number(-1.5e-6), "float64")).toBe(-1.5e-6);
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
  ])("rejects %s as %s", (text, type) => expect(() => parse(text, type)).toThrow());
});

test("durations, distances and counts choose units and separators", () => {
  expect(duration(1344)).toBe("1.34 µs");
  expect(duration(12_061_994)).toBe("12.1 ms");
  expect([840_000, 1.2e9].map(duration)).toEqual(["840 µs", "1.20 s"]);
  expect([0.0064, 0.25, -0.02].map(millimetres)).toEqual(["6.4 mm", "250 mm", "−20 mm"]);
  expect([0, 0.49, 59.99, 60, 125.9, 3725].map(elapsed)).toEqual(["0.0 s", "0.4 s", "59.9 s", "1:00 min", "2:05 min", "1:02:05 h"]);
  expect(count(1234567)).toBe("1\u2009234\u2009567");
});
