import { expect, test } from "vitest";
import type { Structure } from "../lib/wire";
import { candidates } from "./candidates";
import { namesOf, readOrder, split, type Reading } from "./orders";

const structure = {
  system: "test",
  groups: [{ name: "arm", ports: [{ name: "goal", kind: "input", type: "float64" }] }],
  blocks: [
    {
      name: "pid1",
      ports: [
        { name: "ref", kind: "input", type: "float64", unit: "rad", by_hand: true },
        { name: "out", kind: "output", type: "float64[]", unit: "V" },
        { name: "done", kind: "event", type: "bool" },
      ],
      params: [
        { name: "kp", type: "float64", min: 0, max: 1000 },
        { name: "on", type: "bool" },
        { name: "n", type: "int64", fixed: true },
        { name: "gains", type: "float64[]" },
      ],
      operations: [{ name: "moveTo", args: [{ name: "positions", type: "float64[]", unit: "rad" }, { name: "duration", type: "float64", unit: "s" }] }, { name: "halt", args: [] }],
    },
  ],
} as unknown as Structure;
const names = namesOf("test", structure);
const read = (text: string): Reading | null => readOrder(text, names);

test("brackets and quotes keep a word together", () => {
  expect(split('call a.b [1, 2] {"x": 3}  "a b" 4')).toEqual(["call", "a.b", "[1, 2]", '{"x": 3}', '"a b"', "4"]);
});

test("a parameter is set with a space or an equals sign", () => {
  const order = { verb: "set", block: "pid1", param: "kp", value: 90 };
  for (const text of ["pid1.kp 90", "pid1.kp=90", " pid1.kp = 90 "]) expect(read(text)).toMatchObject({ role: "tune", order, problem: "" });
  expect(read("pid1.on yes")?.order).toEqual({ verb: "set", block: "pid1", param: "on", value: true });
  expect(read("pid1.gains [1, 2]")?.order).toEqual({ verb: "set", block: "pid1", param: "gains", value: [1, 2] });
});

test.each([
  ["pid1.kp much", "pid1.kp: “much” is not a number"],
  ["pid1.kp -1", "pid1.kp = -1: must be at least 0, at most 1000"],
  ["pid1.n 2", "pid1.n is fixed: it is read only at start"],
  ["pid1.kpp 90", "pid1 has no parameter kpp; it has kp, on, n, gains"],
  ["pid1.ref 90", "pid1.ref is a port: “hold pid1.ref 90” overrides it"],
  ["pid1.halt 1", "pid1.halt is an operation: “call pid1.halt 1” calls it"],
  ["hold pid1.done 1", "pid1.done is an event: only inputs and outputs hold values"],
  ["hold pid1.kp 1", "pid1.kp is a parameter: “pid1.kp VALUE” sets it"],
  ["hold pid1.ref x", "pid1.ref: “x” is not a number"],
  ["hold nothing 1", "there is no port “nothing”"],
  ["release pid1.out", "pid1.out is not held"],
  ["plot pid1.out pid1.x", "there is no port “pid1.x”"],
  ["call pid1.go", "there is no operation “pid1.go”"],
  ["call pid1.halt 1", "pid1.halt takes 0 arguments, not 1"],
  ["call pid1.moveTo 1, 2", "positions: enter float64[] as JSON, for example [1, 2, 3] or {\"n\": 1}"],
])("%s is rejected with the reason", (text, problem) => {
  expect(read(text)).toMatchObject({ order: null, problem });
});

test("text that ends too early is incomplete, not wrong", () => {
  for (const text of ["pid1.kp ", "hold ", "hold pid1", "hold pid1.ref", "release ", "plot ", "plot pid", "call pid1", "call pid1.moveTo [1, 2]", "call pid1.moveTo [1,"]) {
    expect(read(text), text).toMatchObject({ order: null, incomplete: true });
  }
});

test("ports are held and released", () => {
  expect(read("hold pid1.ref 0.25")).toMatchObject({ role: "drive", order: { verb: "hold", ref: "pid1.ref", value: 0.25 } });
  expect(read("hold pid1.out [1, 2]")?.order).toEqual({ verb: "hold", ref: "pid1.out", value: [1, 2] });
  expect(read("hold arm.goal 1")?.order).toEqual({ verb: "hold", ref: "arm.goal", value: 1 });
  expect(read("release pid1.ref")?.order).toEqual({ verb: "release", refs: ["pid1.ref"] });
  expect(read("release all")?.order).toEqual({ verb: "release", refs: ["pid1.ref"] });
});

test("operations are called with their arguments", () => {
  expect(read("call pid1.moveTo [0.5, 1] 2")).toMatchObject({ role: "drive", order: { verb: "call", ref: "pid1.moveTo", args: [[0.5, 1], 2] } });
  expect(read("call pid1.halt")?.order).toEqual({ verb: "call", ref: "pid1.halt", args: [] });
});

test("signals and their elements are plotted by any role", () => {
  expect(read("plot pid1.ref pid1.out[1]")).toMatchObject({ role: "view", order: { verb: "plot", signals: ["pid1.ref", "pid1.out[1]"] } });
});

test("stop and ? stand alone; other text is a search", () => {
  expect(read("stop")?.order).toEqual({ verb: "stop" });
  expect(read("?")?.order).toEqual({ verb: "keys" });
  for (const text of ["", "pid1 kp", "stop it", "hold", "pid1.kp", "pid1.re", "robot 3"]) expect(read(text), text).toBeNull();
});

test("candidates complete the last word", () => {
  const fills = (text: string): (string | undefined)[] => candidates(text, names, read(text)).map((c) => c.fill);
  expect(fills("hold re")).toEqual(["hold pid1.ref "]);
  expect(fills("release ")).toEqual(["release pid1.ref "]);
  expect(fills("plot pid1.ref ou")).toEqual(["plot pid1.ref pid1.out "]);
  expect(fills("call mo")).toEqual(["call pid1.moveTo "]);
  expect(fills("call pid1.moveTo [1")).toEqual([]);
  expect(fills("pid1.kp 9")).toEqual([]);
  expect(fills("pid1.on ")).toEqual(["pid1.on true", "pid1.on false"]);
});
