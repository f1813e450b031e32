import { expect, test } from "vitest";
import { diff } from "./diff";

const text = (a: string, b: string): string[] => diff(a, b, 1).map((l) => l.kind + l.text);

test("lines that were added, removed and changed are marked", () => {
  expect(text("a\nb\nc\nd\ne", "a\nb\nx\nd\ne")).toEqual([" b", "-c", "+x", " d"]);
  expect(text("a\nb", "a\nnew\nb")).toEqual([" a", "+new", " b"]);
  expect(text("a\nb", "b")).toEqual(["-a", " b"]);
});

test("equal texts have no difference", () => expect(text("a\nb", "a\nb")).toEqual([]));
