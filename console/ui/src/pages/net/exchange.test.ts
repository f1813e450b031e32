import { expect, test } from "vitest";
import type { NetLink } from "../../lib/wire";
import { edgeLabel, exchangeOf, kindsOf } from "./exchange";
import { visible } from "./graph";
import { layout } from "./layout";
import { janus } from "./testnets";

const linked = (...links: Partial<NetLink>[]): NetLink[] => links.map((l, i) => ({ from: "pid1.out", to: `scope.in${i}`, ...l }));

test("a link is labelled with what its reader sees, and not at all where that is the value of the same activation", () => {
  expect(linked({}, { exchange: "activation" }, { exchange: "tick", ticks: 1 }, { exchange: "tick", ticks: 3 }, { exchange: "tick" }, { exchange: "direct" }).map(exchangeOf)).toEqual(["", "", "1 tick", "3 ticks", "by tick", "direct"]);
  expect(kindsOf(linked({}, { exchange: "event" }, { exchange: "tick", ticks: 1 })).map((k) => k.label)).toEqual(["n ticks", "event"]);
});

test("links that a closed group combines are labelled with what they have in common", () => {
  const edge = (links: NetLink[]): string => edgeLabel({ links } as Parameters<typeof edgeLabel>[0]);
  expect(edge(linked({ exchange: "newest" }, { exchange: "newest" }))).toBe("newest");
  expect(edge(linked({ exchange: "newest" }, { exchange: "direct" }))).toBe("");
});

test("calls of operations are one line from box to box, and none inside a closed group", () => {
  const calls = ["motorOn", "motorOff"].map((operation) => ({ block: "joint1", peer: "aic01", operation })).concat({ block: "aic01", peer: "robot", operation: "setBrake" });
  const lines = visible({ ...janus, calls }, new Set()).edges.filter((e) => e.calls.length > 0);
  expect(lines.map((e) => `${e.from.id} ${e.to.id} ${e.calls.length}`)).toEqual(["joint1 aic01 2", "aic01 robot 1"]);
  const grouped = { ...janus, blocks: janus.blocks.map((b) => (b.name === "robot" || b.name === "aic01" ? { ...b, name: `arm.${b.name}` } : b)), links: [], calls: [{ block: "arm.aic01", peer: "arm.robot", operation: "setBrake" }] };
  expect(visible(grouped, new Set()).edges).toEqual([]);
  expect(visible(grouped, new Set(["arm"])).edges).toHaveLength(1);
});

test("columns are further apart where a label stands beside a value", () => {
  const width = (exchange: NetLink["exchange"]): number => layout(visible({ ...janus, links: [{ from: "generator.position", to: "bridge_ref.position", ...(exchange && { exchange }) }] }, new Set())).width;
  expect(width("newest")).toBeGreaterThan(width("activation"));
});
