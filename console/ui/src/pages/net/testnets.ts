// The nets that the tests of layouts draw, and what they check.
import type { Structure } from "../../lib/wire";
import recordedJanus from "../../mock/data/janus.json";
import recordedWalker from "../../mock/data/walker.json";
import { plant } from "../../mock/plant";
import type { Rect } from "./layout";

export const janus = recordedJanus.structure as Structure;
export const walker = recordedWalker.structure as Structure;

/** All nets, by name. */
export const nets: [string, Structure][] = [
  ["janus", janus],
  ["walker", walker],
  ["plant", plant().structure],
];

/** Reports whether two boxes do not overlap. */
export function apart(a: Rect, b: Rect): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}
