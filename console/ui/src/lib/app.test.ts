import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { App } from "./app.svelte";
import type { Client, ConnectionState } from "./client";

beforeEach(() => {
  vi.useFakeTimers(); // no refreshes by time
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns a client of one system that is not connected yet, the methods that were requested of it, and a function that changes its state. */
function clientOf(system: string): { client: Client; requested: string[]; enter: (s: ConnectionState) => void } {
  const [requested, sinks] = [[] as string[], [] as ((s: ConnectionState) => void)[]];
  const client = {
    state: "connecting" as ConnectionState,
    session: null,
    request: (method: string) => {
      requested.push(method);
      return Promise.resolve(method === "systems" ? [{ name: system, alive: true }] : method === "structure" ? { system, blocks: [] } : {});
    },
    watch: () => ({ stop: () => undefined }),
    onEvent: () => () => undefined,
    onPose: () => () => undefined,
    onCondition: () => () => undefined,
    onState: (f: (s: ConnectionState) => void) => (sinks.push(f), () => undefined),
    close: () => undefined,
  };
  const enter = (s: ConnectionState): void => {
    client.state = s;
    for (const f of sinks) f(s);
  };
  return { client: client as unknown as Client, requested, enter };
}

test("each connection asks once for the systems, and once for the structure of the one shown", async () => {
  const { client, requested, enter } = clientOf("janus");
  const app = new App(client);
  for (const times of [1, 2]) {
    enter("connected");
    await vi.advanceTimersByTimeAsync(0);
    expect(app.system).toBe("janus");
    for (const method of ["systems", "structure"]) expect(requested.filter((m) => m === method), method).toHaveLength(times);
    enter("lost");
  }
});
