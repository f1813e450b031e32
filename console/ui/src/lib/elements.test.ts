import { expect, test } from "vitest";
import { joinElements, splitElements } from "./elements";

test("elements behind a port are read and written as in links", () => {
  for (const [ref, port, elements] of [
    ["a.out", "a.out", null],
    ["a.out[2]", "a.out", [2]],
    ["a.out[0:3]", "a.out", [0, 1, 2]],
    ["a.out[2,0,5:7]", "a.out", [2, 0, 5, 6]],
  ] as const) {
    expect(splitElements(ref)).toEqual({ port, elements });
    expect(joinElements(port, elements)).toBe(ref);
  }
  expect(splitElements("a.out[ 2, 0 ]").elements).toEqual([2, 0]);
});

test("brackets that select nothing belong to the name", () => {
  for (const ref of ["a.out[]", "a.out[x]", "a.out[3:3]", "a.out[3:2]", "a.out[:2]", "a.out[2:]", "a.out[0:999999999]", "a.out[1", "a.out[1][x]"]) expect(splitElements(ref)).toEqual({ port: ref, elements: null });
});
