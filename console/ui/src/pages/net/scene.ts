// The contents of one picture of the net.
import type { Colours } from "./colours";
import type { Graph, GraphNode } from "./graph";
import type { Drawing, Rect } from "./layout";
import type { Curve } from "./paths";
import type { Point } from "./layers";
import type { View } from "./view";
import { isNonFinite, show } from "../../lib/value";
import type { Value } from "../../lib/wire";

export interface Scene {
  graph: Graph;
  drawing: Drawing;
  curves: Curve[];
  view: View;
  width: number;
  height: number;
  colours: Colours;
  selected: ReadonlySet<string>;
  /** block with the keyboard focus */
  focused: string;
  /** error messages, by block and by link "a.out -> b.in" */
  marks: ReadonlyMap<string, string>;
  /** selected links */
  chosen: { from: string; to: string }[];
  hovered: Curve | undefined;
  /** selection rectangle */
  band: Rect | undefined;
  /** newest value of an output, by reference, as text of at most this many characters where it can be shortened */
  value: (ref: string, most: number) => { text: string; nonFinite: boolean } | undefined;
  /** ports with a value set by hand, and outputs with NaN or infinity, by reference */
  unusual: UnusualPorts;
  /** share of the period by block; undefined if unknown */
  share: (block: string) => number | undefined;
  /** index of a block's thread, which selects its colour */
  thread: (n: GraphNode) => number;
  /** link being drawn */
  pending: { from: Point; to: Point; fits: boolean | undefined } | undefined;
}

/**
 * Returns the label of an output's value, shorter between boxes that are close to each other on the screen, and a list with at most `room` characters;
 * undefined without a value.
 */
export function labelOf(v: Value | undefined, scale: number, room: number): { text: string; nonFinite: boolean } | undefined {
  const [digits, most] = scale < 0.65 ? [3, 6] : [4, 11];
  return v === undefined ? undefined : { text: show(v, digits, Math.min(most, room)), nonFinite: isNonFinite(v) };
}

export interface UnusualPorts {
  held: ReadonlySet<string>;
  nonFinite: ReadonlySet<string>;
}

/** Returns what is unusual at the ports of a block, or of any block in a closed group. */
export function unusualAt(s: UnusualPorts, n: GraphNode): { held: boolean; nonFinite: boolean } {
  if (n.open) return { held: false, nonFinite: false };
  const any = (refs: ReadonlySet<string>): boolean => {
    for (const r of refs) if (r.startsWith(n.id + ".") && (!n.block || r.indexOf(".", n.id.length + 1) < 0)) return true;
    return false;
  };
  return { held: any(s.held), nonFinite: any(s.nonFinite) };
}

/** Describes what is unusual at a box, for screen readers; "" if nothing is. */
export function unusualWords(s: UnusualPorts, n: GraphNode): string {
  const { held, nonFinite } = unusualAt(s, n);
  const words = [n.faults > 0 ? "in error" : "", n.block?.state === "disabled" ? "disabled" : "", held ? "held" : "", nonFinite ? "not finite" : ""].filter(Boolean);
  return words.length > 0 ? ` [${words.join(", ")}]` : "";
}

/** Reports whether a box, or a block inside a closed group, has an error message. */
export function isMarked(s: Scene, n: GraphNode): boolean {
  if (s.marks.size === 0) return false;
  return s.marks.has(n.id) || (!n.block && !n.open && [...s.marks.keys()].some((k) => k.startsWith(n.id + ".") && !k.includes(" -> ")));
}
