import { expect, test } from "vitest";
import type { Block, Structure } from "../lib/wire";
import { consequences } from "./consequences";

const output = (name: string, safe?: string) => ({ name, kind: "output" as const, type: "float64", ...(safe === undefined ? {} : { safe }) });
const block = (name: string, ports: Block["ports"], operations: string[] = []): Block => ({ name, type: "t", thread: "main", ports, params: [], operations: operations.map((o) => ({ name: o, args: null })) });
const system = (blocks: Block[], supervised = false): Structure => ({ system: "s", file: "", pid: 1, processes: [{ name: "main", host: "h", supervised }], threads: [], blocks, links: [] });

test("the text counts outputs with and without a safe value", () => {
  const { lines, unsafe } = consequences(system([block("a", [output("x", "0"), output("y")]), block("b", [output("z")])]), null, "stop");
  expect(lines).toEqual(["2 blocks stop, the last one first.", "1 output takes its safe value; 2 have none and keep their last value."]);
  expect(unsafe).toEqual(["a.y", "b.z"]);
});

test("brakes are named only where a block operates one", () => {
  expect(consequences(system([block("joint1", [], ["motorOff", "brakeApply"])]), null, "stop").lines.join(" ")).toContain("joint1 applies its brake and switches its motor off");
  const robot = block("robot", [{ ...output("position"), show: "joint_position" }]);
  expect(consequences(system([robot]), null, "stop").lines.join(" ")).toContain("No block with a brake is known");
});

test("of a supervised system all processes end", () => {
  expect(consequences(system([], true), null, "stop").lines[0]).toContain("All processes end, also programs in other languages");
});

test("held ports are released, and a restart loses tuned values", () => {
  const c = { held: ["a.x", "a.y"], non_finite: [], disabled: [], resting: [], faults: [], fault_count: 0, slips: [], problems: [] };
  const text = consequences(system([]), c, "restart").lines.join(" ");
  expect(text).toContain("2 held ports are released.");
  expect(text).toContain("Tuned values that are not saved are lost");
});
