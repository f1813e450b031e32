import { expect, test } from "vitest";
import { bindings, greatest, sampleAt, summary } from "./strip";

const limits = [{ of: "a", kind: "speed" }, { of: "", kind: "acceleration" }] as const;
const use = [[0, 0], [0.5, 0.99], [0.2, 1], [0.96, 0.3], [0, 0]].map((row) => Float32Array.from(row));

test("a span shows which limit binds, from when until when", () => {
  expect(greatest([0.2, 0.7, 0.6])).toEqual({ limit: 1, part: 0.7 });
  expect(bindings({ duration: 4, use })).toEqual([{ from: 0.5, to: 2.5, limit: 1 }, { from: 2.5, to: 3.5, limit: 0 }]);
  expect(sampleAt({ duration: 4, use }, 2.2)).toBe(2);
  expect(sampleAt({ duration: 0, use: [] }, 2)).toBe(0);
});

test("the summary lists the limits by how long they bind", () => {
  const program = { duration: 4, use, limits: [...limits] } as unknown as Parameters<typeof summary>[0];
  expect(summary(program).map((s) => s.text)).toEqual(["acceleration of the tool 2.0 s", "speed of a 1.0 s"]);
});
