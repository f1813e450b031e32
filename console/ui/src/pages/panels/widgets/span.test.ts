import { describe, expect, test } from "vitest";
import { rangeOf, readNumber, Span } from "./span";

describe("a range without stated bounds", () => {
  test.each([
    [80, { min: 0, max: 200 }],
    [-3, { min: -10, max: 0 }],
    [0.004, { min: 0, max: 0.01 }],
    [0, { min: -1, max: 1 }],
  ])("lies around %d", (value, range) => expect(new Span().follow(value)).toEqual(range));

  test("is unknown before the first value", () => {
    const span = new Span();
    expect(span.follow(NaN)).toBeNull();
    expect(span.follow(80)).toEqual({ min: 0, max: 200 });
    expect(span.follow(NaN)).toEqual({ min: 0, max: 200 });
  });

  test("stays while values are inside, and grows with those outside", () => {
    const span = new Span();
    const first = span.follow(80);
    expect(span.follow(3)).toBe(first);
    expect(span.follow(200)).toBe(first);
    expect(span.follow(-30)).toEqual({ min: -100, max: 200 });
    expect(span.follow(80)).toEqual({ min: -100, max: 200 });
  });

  test("follows the first value that is not 0", () => {
    const span = new Span();
    span.follow(0);
    expect(span.follow(0.001)).toEqual({ min: 0, max: 0.002 });
  });
});

test("stated bounds come before the range around the value", () => {
  const auto = { min: 0, max: 200 };
  expect(rangeOf({ min: -5, max: 5 }, auto)).toEqual({ min: -5, max: 5 });
  expect(rangeOf({ min: 10 }, auto)).toEqual({ min: 10, max: 200 });
  expect(rangeOf({ min: 300 }, auto)).toEqual({ min: 300, max: 600 });
  expect(rangeOf({ max: -1 }, auto)).toEqual({ min: -2, max: -1 });
  expect(rangeOf({ min: 0 }, null)).toBeNull();
  expect(rangeOf({ min: 0, max: 9 }, null)).toEqual({ min: 0, max: 9 });
});

test("an empty field is no number", () => {
  expect(readNumber(" 1,5 ")).toBe(1.5);
  expect(readNumber("−2")).toBe(-2);
  expect(readNumber(" ")).toBeNaN();
  expect(readNumber("8x")).toBeNaN();
});
