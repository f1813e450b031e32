// All that a picture of the net shows.
import type { Colours } from "./colours";
import type { Graph, GraphNode } from "./graph";
import type { Drawing, Rect } from "./layout";
import type { Curve } from "./paths";
import type { Point } from "./layers";
import type { View } from "./view";

export interface Scene {
  graph: Graph;
  drawing: Drawing;
  curves: Curve[];
  view: View;
  width: number;
  height: number;
  colours: Colours;
  selected: ReadonlySet<string>;
  /** the block that the keyboard is at */
  focused: string;
  /** what is wrong, by block and by link "a.out -> b.in" */
  marks: ReadonlyMap<string, string>;
  /** links that are selected */
  chosen: { from: string; to: string }[];
  hovered: Curve | undefined;
  /** a rectangle in which blocks are being selected */
  band: Rect | undefined;
  /** text of the newest value of an output, by reference */
  value: (ref: string) => { text: string; odd: boolean } | undefined;
  /** share of the period by block; undefined where it has none */
  share: (block: string) => number | undefined;
  /** index of a block's thread, for its colour */
  thread: (n: GraphNode) => number;
  /** a link that is being drawn */
  pending: { from: Point; to: Point; fits: boolean | undefined } | undefined;
}

/** What is wrong with a box, or with what a closed group hides. */
export function isMarked(s: Scene, n: GraphNode): boolean {
  if (s.marks.size === 0) return false;
  return s.marks.has(n.id) || (!n.block && !n.open && [...s.marks.keys()].some((k) => k.startsWith(n.id + ".") && !k.includes(" -> ")));
}
