import { expect, test } from "vitest";
import { RequestError } from "./client";
import { isChangedOnDisk } from "./errors";

test("a conflict is recognized by its code, never by words of the message", () => {
  expect(isChangedOnDisk(new RequestError("panels.put", "eine andere Fassung", "changed_on_disk"))).toBe(true);
  expect(isChangedOnDisk(new RequestError("panels.put", "panel.yaml: changed on disk: reload, compare or overwrite"))).toBe(false);
  expect(isChangedOnDisk("changed on disk")).toBe(false);
});
