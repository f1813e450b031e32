import { describe, expect, it } from "vitest";
import { Layout, MOST_PANES } from "./layout.svelte";

const names = (layout: Layout): string[][] => layout.panes.map((p) => [...p.names]);

describe("Layout", () => {
  it("draws a signal in one plot over time, and in any number of others", () => {
    const layout = new Layout();
    layout.put("a.x", 1);
    layout.put("a.y", 1);
    layout.add("time", ["a.x"]);
    layout.add("xy", ["a.x", "a.y"]);
    layout.add("spectrum", ["a.y"]);
    expect(names(layout)).toEqual([["a.y"], ["a.x"], ["a.x", "a.y"], ["a.y"]]);
    layout.shift("a.x", -1);
    expect(names(layout).slice(0, 2)).toEqual([["a.y", "a.x"], []]);
    layout.take("a.y");
    expect(names(layout)).toEqual([["a.x"], [], ["a.x"], []]);
  });

  it("removes and reorders plots, but keeps one over time", () => {
    const layout = new Layout();
    layout.add("xy");
    layout.move(2, -1);
    expect(layout.panes.map((p) => p.kind)).toEqual(["xy", "time"]);
    layout.move(2, -1);
    layout.remove(1);
    expect(layout.panes).toHaveLength(2);
    layout.remove(2);
    expect([layout.panes.map((p) => p.id), layout.current]).toEqual([[1], 1]);
  });

  it("limits the number of plots", () => {
    const layout = new Layout();
    for (let i = 1; i < MOST_PANES; i++) expect(layout.add("time")).toBe("");
    expect(layout.add("time")).toContain(String(MOST_PANES));
  });

  it("exchanges the horizontal axis", () => {
    const layout = new Layout();
    layout.add("xy", ["a", "b", "c"]);
    layout.lead("c", 2);
    expect(layout.panes[1]?.names).toEqual(["c", "b"]);
  });

  it("restores stored plots, without what no longer exists", () => {
    const layout = new Layout();
    layout.restore([{ id: 7, kind: "spectrum", names: ["a", "gone"], band: { min: 0, max: 9 } }, { kind: "other", names: [] }, { id: 3, kind: "time", names: ["b"] }], ["a", "b", "c"]);
    expect(layout.panes).toEqual([
      { id: 1, kind: "spectrum", names: ["a"], band: { min: 0, max: 9 } },
      { id: 2, kind: "time", names: ["b", "c"], band: null },
    ]);
    for (const stored of [undefined, null, 5, [], [null], [{ kind: "xy" }]]) {
      const other = new Layout();
      other.restore(stored, ["a"]);
      expect(names(other), JSON.stringify(stored)).toEqual([["a"]]);
    }
  });
});
