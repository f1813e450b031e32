// Which values links carry, as labels at their ends and in the legend.
import type { Exchange } from "../../lib/exchange";
import type { NetLink } from "../../lib/wire";
import type { GraphEdge } from "./graph";

/** The kinds of exchange that have a label, in the order of the legend. Values of the same activation have none. */
const meanings: Record<Exclude<Exchange, "activation">, { label: string; text: string }> = {
  tick: { label: "by tick", text: "of a period before" },
  direct: { label: "direct", text: "of the same tick" },
  newest: { label: "newest", text: "the latest value" },
  previous: { label: "previous", text: "of the activation before" },
  buffered: { label: "buffered", text: "each value" },
  event: { label: "event", text: "each event" },
};

/** Returns the label of a link: the delay of one by tick, if that is a whole number; "" if it carries values of the same activation. */
export function exchangeOf(l: NetLink): string {
  if (l.exchange === undefined || l.exchange === "activation") return "";
  if (l.exchange === "tick" && l.ticks) return `${l.ticks} ${l.ticks === 1 ? "tick" : "ticks"}`;
  return meanings[l.exchange].label;
}

/** Returns the label of a drawn link: what all its links have in common. */
export function edgeLabel(e: GraphEdge): string {
  const [first = "", ...others] = new Set(e.links.map(exchangeOf));
  return others.length === 0 ? first : "";
}

/** Returns the kinds of exchange that a net has, with their meanings. */
export function kindsOf(links: readonly NetLink[]): { label: string; text: string }[] {
  const present = new Set(links.map((l) => l.exchange));
  const ticks = links.some((l) => l.exchange === "tick" && l.ticks);
  return Object.entries(meanings).flatMap(([kind, m]) => (!present.has(kind as Exchange) ? [] : [kind === "tick" && ticks ? { ...m, label: "n ticks" } : m]));
}
