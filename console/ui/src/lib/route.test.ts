import { expect, test } from "vitest";
import { readAddress, writeAddress } from "./route.svelte";

test("an address has a share, a page, a path and a query", () => {
  const a = readAddress("60:net/arm/a%7Cb?select=pid1%7C2");
  expect([a.share, a.page, a.path, a.query.get("select")]).toEqual([60, "net", ["arm", "a|b"], "pid1|2"]);
  expect(writeAddress(a)).toBe("net/arm/a%7Cb?select=pid1%7C2");
  expect(readAddress("/scope")).toMatchObject({ page: "scope", path: [], share: 50 });
});

test.each(["", "/", "nothing", "0:", "999:x/%", "::", "net/%E0%A4%A"])("an address that is not one leads to a page: %s", (text) => {
  const a = readAddress(text);
  expect(a.share).toBeGreaterThan(0);
  expect(readAddress(writeAddress(a))).toEqual({ ...a, share: 50 });
});
