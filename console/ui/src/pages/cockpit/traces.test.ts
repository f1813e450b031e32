import { expect, test } from "vitest";
import type { Robot } from "../../lib/robots";
import type { Structure } from "../../lib/wire";
import { chooseTraces, expand } from "./traces";

type Short = [name: string, type: string, watch?: boolean];

function structure(ports: Short[], watch?: string[]): Structure {
  return { blocks: [{ name: "b", ports: ports.map(([name, type, w]) => ({ name, kind: "output", type, ...(w ? { watch: true } : {}) })) }], ...(watch ? { watch } : {}) } as unknown as Structure;
}

const robot = { joints: ["hip", "knee"], position: ["r.q"], desired: ["g.q"] } as unknown as Robot;

test("the system file's watched signals come first, those of a port in one plot", () => {
  const s = structure([["x", "float64[]"], ["y", "float64"], ["z", "float64", true]], ["b.x[0]", "b.x[1]", "b.y"]);
  expect(chooseTraces(s, robot)).toEqual([{ title: "b.x", signals: ["b.x[0]", "b.x[1]"] }, { title: "b.y", signals: ["b.y"] }]);
});

test("then ports tagged watch, single numbers before vectors", () => {
  const s = structure([["v", "float64[]", true], ["on", "bool", true], ["z", "float64", true], ["text", "string", true]]);
  expect(chooseTraces(s, robot).map((t) => t.title)).toEqual(["b.z", "b.v"]);
});

test("then measured and desired joint positions", () => {
  expect(chooseTraces(structure([["z", "float64", true]]), robot)).toEqual([{ title: "b.z", signals: ["b.z"] }, { title: "hip", signals: ["r.q[0]", "g.q[0]"] }]);
  const single = { joints: ["hip", "knee"], position: ["a.q", "b.q"], desired: [] } as unknown as Robot;
  expect(chooseTraces(structure([]), single).map((t) => t.signals)).toEqual([["a.q"], ["b.q"]]);
});

test("then any outputs; a system without numbers has no plots", () => {
  expect(chooseTraces(structure([["x", "float64"]]), null)).toEqual([{ title: "b.x", signals: ["b.x"] }]);
  expect(chooseTraces(structure([["t", "string"]]), null)).toEqual([]);
});

test("vectors show their first four numbers", () => {
  expect(expand({ title: "v", signals: ["b.v", "b.x"] }, (ref) => (ref === "b.v" ? 7 : null))).toEqual(["b.v[0]", "b.v[1]", "b.v[2]", "b.v[3]", "b.x"]);
});
