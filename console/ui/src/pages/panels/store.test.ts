import { expect, test } from "vitest";
import type { Client } from "../../lib/client";
import { PanelStore } from "./store";

test("a panel that is saved twice in quick succession does not collide with itself", async () => {
  const sent: unknown[] = [];
  const request = async (_: string, args: { version: string }): Promise<{ version: string }> => {
    await Promise.resolve();
    sent.push(args.version);
    return { version: `v${sent.length}` };
  };
  const store = new PanelStore({ request } as unknown as Client, "arm");
  const panel = { title: "main", widgets: [], rest: {} };
  await Promise.all([store.put("main", panel), store.put("main", panel)]);
  expect(sent).toEqual(["absent", "v1"]);
});
