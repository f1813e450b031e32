import { describe, expect, test } from "vitest";
import row from "../../../../../../examples/row/row.yaml?raw";
import { compose } from "./compose";
import { flat } from "./flat";
import { isSeveral, spelled, written } from "./list";
import { read } from "./netfile";
import { remove, removeLinks, rename } from "./patch";

const texts = (text: string): string[] => spelled(text).map((l) => `${l.from} -> ${l.to}`);

test("an entry is the links of its chain and of its lists part by part", () => {
  expect(texts("a -> b -> c")).toEqual(["a.* -> b.*", "b.* -> c.*"]);
  expect(texts("a.{x, y} -> b.{u,v}")).toEqual(["a.x -> b.u", "a.y -> b.v"]);
  expect(texts("a -> {b,c{1-40}}")).toEqual(["a.* -> b.*", "a.* -> c{1-40}.*"]);
  expect(texts("a{1-40}.{x,y} -> b.{x,y}${i}")).toEqual(["a{1-40}.x -> b.x${i}", "a{1-40}.y -> b.y${i}"]);
  expect(texts("a.out[0,1] -> b.in[1,2]")).toEqual(["a.out[0,1] -> b.in[1,2]"]);
  expect(texts("no link")).toEqual([]);
  expect(isSeveral("a{1-40}.x -> b.x${i}")).toBe(false);
});

test("links are written as the entry that stands for them", () => {
  for (const text of ["a -> b", "a -> b -> c", "a.x -> b.u", "a.{x,y} -> b.{u,v}", "a -> {b,c{1-40}}", "{a.x,b.y} -> c.{x,y}"]) expect(written(spelled(text))).toBe(text);
});

const f = read(row);

describe("edits keep lists and chains", () => {
  test("a new name of a block, in each place of it", () => {
    const { text } = rename(f, "sensor", "eyes");
    expect(text).toContain("- joint{1-40} -> eyes -> controller -> pid{1-40} -> controller\n");
    expect(text).toContain("- sampler -> {eyes,controller,actuator,joint{1-40}}\n");
  });
  test("a block whose name is also that of a port", () => {
    const g = read("blocks: {x: {type: t.T}, y: {type: t.T}}\nlinks:\n  - x.{x,out} -> y.{x,in}\n");
    expect(rename(g, "x", "z").text).toContain("- z.{x,out} -> y.{x,in}\n");
  });
  test("a removed block leaves the other links of its entries", () => {
    const text = remove(f, ["sensor"]);
    const all = (g: typeof f): string[] => flat(g).links.map((l) => `${l.from} -> ${l.to}`);
    expect(all(read(text))).toEqual(all(f).filter((l) => !l.includes("sensor.*")));
    expect(text).toContain("- sampler -> {controller,actuator,joint{1-40}}\n");
    expect(text).toContain("- controller -> pid{1-40} -> controller\n");
  });
  test("a removed link of a list", () => {
    const one = flat(f).links.find((l) => l.from === "card{1-40}.index");
    expect(removeLinks(f, one ? [one.link] : [])).toContain("- card{1-40}.displacement -> joint${i}.displacement_sensor\n");
  });
});

test("a link of whole blocks is drawn between ports that stand for all", () => {
  const net = compose(read("blocks: {a: {type: t.T}, b: {type: t.T}}\nlinks: [a -> b]\n"), { typeOf: () => undefined, fileOf: () => undefined });
  expect(net.blocks.map((b) => b.ports?.map((p) => [p.name, p.kind]))).toEqual([[["*", "output"]], [["*", "input"]]]);
  expect(net.links).toEqual([{ from: "a.*", to: "b.*", delay: false, every: 0 }]);
});
