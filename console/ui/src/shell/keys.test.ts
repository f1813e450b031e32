import { expect, test, vi } from "vitest";
import { isWriting } from "./keys";

class Element {
  isContentEditable = false;
  constructor(public tagName: string) {}
}
class Input extends Element {
  constructor(public type: string) {
    super("INPUT");
  }
}

test("a slider keeps the keys that move it, a box those that choose, a text field all", () => {
  vi.stubGlobal("HTMLElement", Element);
  vi.stubGlobal("HTMLInputElement", Input);
  const kept = (target: unknown): string[] => ["a", "5", "Escape", " ", "ArrowLeft"].filter((key) => isWriting({ target: target as EventTarget, key }));
  expect(kept(new Input("text"))).toEqual(["a", "5", "Escape", " ", "ArrowLeft"]);
  expect(kept(new Element("SELECT"))).toHaveLength(5);
  expect(kept(new Input("range"))).toEqual(["ArrowLeft"]);
  expect(kept(new Input("checkbox"))).toEqual([" ", "ArrowLeft"]);
  expect(kept(new Element("BUTTON"))).toEqual([]);
  expect(kept(null)).toEqual([]);
  vi.unstubAllGlobals();
});
