// The views that a drawing of the net opens with: all of it or, in the editor, as much as can be read.
import { readableFrom } from "./draw";
import type { Graph } from "./graph";
import type { Drawing } from "./layout";
import { enlarged, fitted, leftwards, type View } from "./view";

interface Size {
  width: number;
  height: number;
}

const [values, legend] = [48, 34]; // px on the right, for the values of the last outputs, and at the bottom, covered by the legend

/** Fits a drawing into the part of a window that nothing else needs. */
export function fittedIn(size: Size, { width, height }: Size, live: boolean): View {
  return fitted(size, { width: live ? width - values : width, height: height - legend });
}

/** Shows all of a drawing. The editor has less room, and needs all of it for readable labels: values get that of the left margin, where they are drawn. */
export function whole(d: Drawing, window: Size, live: boolean): View {
  const v = fittedIn(d, window, live);
  return live || v.scale < readableFrom(d) ? v : leftwards(v, values);
}

/** Shows the beginning of a drawing. In the editor, labels of ports can be read, also where all of the net is too large for the window then. */
export function opening(d: Drawing, window: Size, live: boolean, g: Graph): View {
  const v = whole(d, window, live);
  if (live || v.scale >= readableFrom(d)) return v;
  const boxes = [...d.rects].flatMap(([id, r]) => (g.nodes.get(id)?.open ? [] : [r]));
  const large = enlarged(v, readableFrom(d), d, boxes, { width: window.width, height: window.height - legend });
  return d.width * large.scale > window.width ? large : leftwards(large, values); // links that lead back to the first boxes stay visible
}
