// References of panels to blocks: the bindings of widgets, the signals of plots, the robots of views and the pages of workspaces.
import { isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { pairOf, spanOf } from "./netfile";
import { movedRef, type Moves } from "./renamed";
import { replace, type Change } from "./text";

/** Returns the references of a panel's file, without duplicates. */
export function panelRefs(text: string): string[] {
  return [...new Set(usesOf(text).map((u) => u.ref))];
}

/** Reports whether a reference is a block or something of it: "pid1", "pid1.kp", "pid1.out[0]". */
export function isOf(ref: string, block: string): boolean {
  return ref === block || ref.startsWith(block + ".");
}

/** Updates the references of a panel's file to what was renamed or dissolved; comments and layout are kept. */
export function moveInPanel(text: string, moves: Moves): string {
  return replace(text, usesOf(text).flatMap(({ ref, change }) => {
    const now = movedRef(moves, ref);
    return now === ref ? [] : [change(now)];
  }));
}

/** A reference in a panel's file. */
interface Use {
  ref: string;
  /** the change of the text that puts another in its place */
  change: (to: string) => Change;
}

function usesOf(text: string): Use[] {
  const root = parseDocument(text).contents;
  if (!isMap(root)) return [];
  const quoted = (s: Scalar, to: string): Change => {
    const quote = /^["']/.exec(text.slice(spanOf(s).from))?.[0] ?? "";
    return { ...spanOf(s), with: quote + to + quote };
  };
  const widgets = pairOf(root, "widgets")?.value;
  const shown = isSeq(widgets) ? widgets.items.flatMap((w) => (isMap(w) ? ["bind", "signals", "robot"].flatMap((key) => scalarsIn(pairOf(w, key)?.value)) : [])) : [];
  return [
    ...shown.map((s): Use => ({ ref: String(s.value), change: (to) => quoted(s, to) })),
    ...scalarsIn(pairOf(root, "pages")?.value).flatMap((s): Use[] => {
      const { before = "", name = "", after = "" } = page.exec(String(s.value))?.groups ?? {};
      return name === "" ? [] : [{ ref: decoded(name), change: (to) => quoted(s, before + encodeURIComponent(to) + after) }];
    }),
  ];
}

/** The address of a page, in a workspace, that names a block or something of it: "60:net/arm?edit=1", "scope?add=arm.u". */
const page = /^(?<before>\/*(?:\d{1,3}:)?(?:(?:cockpit|net|tree|robot|plan)\/|scope\?add=))(?<name>[^/?&]+)(?<after>.*)$/s;

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // malformed address
  }
}

function scalarsIn(node: unknown): Scalar[] {
  if (isScalar(node)) return typeof node.value === "string" ? [node] : [];
  if (isMap(node)) return node.items.flatMap((p) => scalarsIn(p.value));
  return isSeq(node) ? node.items.flatMap(scalarsIn) : [];
}
