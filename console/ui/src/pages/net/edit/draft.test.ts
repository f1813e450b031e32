import { beforeEach, expect, test, vi } from "vitest";
import { Draft } from "./draft.svelte";

const file = "/r/arm.yaml";
const at = (kp: number): string => `blocks:\n  pid1: {type: flow.Gain, kp: ${kp}}\n`;
const draft = (): Draft => new Draft("arm", { file, text: at(1), version: "v1", files: [] }, "", undefined);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v), removeItem: (k: string) => kept.delete(k) });
});

test("a change made while the file is saved stays, is unsaved and survives a reload", () => {
  const d = draft();
  d.apply(at(2));
  const { args, saved } = d.savingText();
  expect(args).toEqual({ file, text: at(2), version: "v1" });
  d.apply(at(3));
  saved({ file, text: at(2), version: "v2", files: [] });
  expect([d.text, d.saved, d.dirty]).toEqual([at(3), at(2), true]);
  expect(d.savingText().args.version).toBe("v2");
  expect(draft().text).toBe(at(3));
  d.undo();
  expect(d.dirty).toBe(false);
});

test("names are relative to the saved file after a block was renamed before and after the save began", () => {
  const d = draft();
  d.apply(at(1).replace("pid1", "a"), new Map([["pid1", "a"]]));
  const { args, saved } = d.savingText();
  d.apply(args.text.replace("a:", "b:"), new Map([["a", "b"]]));
  saved({ file, text: args.text, version: "v2", files: [] });
  expect(d.renamed.get("a")).toBe("b");
});

test("boxes placed while the layout is saved stay unsaved", () => {
  const d = draft();
  d.place(new Map([["pid1", { x: 1, y: 2 }]]));
  const { args, saved } = d.savingBoxes();
  d.place(new Map([["pid1", { x: 5, y: 6 }]]));
  saved("v2");
  expect(args.boxes).toEqual({ pid1: [1, 2] });
  expect([d.placesDirty, d.savingBoxes().args]).toEqual([true, { file, boxes: { pid1: [5, 6] }, version: "v2" }]);
});
