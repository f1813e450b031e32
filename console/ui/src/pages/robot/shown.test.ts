import { expect, test } from "vitest";
import type { CoachPose } from "../../lib/robots";
import { after, nothingShown } from "./shown";

const of = { system: "s", robot: "r" };
const frame: NonNullable<CoachPose["frame"]> = { p: [1, 2, 3], q: [0, 0, 0, 1] };

test("positions replace positions and the frames of links, but not those of shapes", () => {
  let shown = after(nothingShown, { ...of, q: [1] });
  shown = after(shown, { ...of, link: "a", frame });
  shown = after(shown, { ...of, link: "a", shape: 0, frame });
  expect(shown.placed).toHaveLength(2);
  shown = after(shown, { ...of, q: [2] });
  expect(shown).toEqual({ q: [2], placed: [{ link: "a", shape: 0, ...frame }] });
});

test("a frame replaces that of the same link or shape", () => {
  let shown = after(nothingShown, { ...of, link: "a", frame });
  shown = after(shown, { ...of, link: "b", frame });
  shown = after(shown, { ...of, link: "a", frame: { ...frame, p: [0, 0, 9] } });
  expect(shown.placed.map((x) => [x.link, x.p[2]])).toEqual([["b", 3], ["a", 9]]);
});

test("a pose of nothing discards all", () => {
  expect(after(after(nothingShown, { ...of, q: [1] }), of)).toEqual(nothingShown);
});
