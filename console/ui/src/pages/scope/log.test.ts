import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../lib/client";
import { RecordedLog } from "./log";

/** A server with one log of two seconds: "a.x" at 1 kHz, and an array "a.q". */
function server(): { client: Client; asked: Record<string, unknown>[] } {
  const asked: Record<string, unknown>[] = [];
  const request = (method: string, args: Record<string, unknown>): Promise<unknown> => {
    asked.push({ method, ...args });
    if (method === "record.open") {
      const signals = [{ ref: "a.x", type: "float64", unit: "rad" }, { ref: "a.q", element: 1, type: "float64[]" }];
      return Promise.resolve({ id: "7", start_ns: 1e9, end_ns: 3e9, signals });
    }
    return Promise.resolve({ s: [[1, [1e9, 2e9], [1, "NaN"]], [0, [1.5e9], [3]]] });
  };
  return { client: { request } as unknown as Client, asked };
}

describe("RecordedLog", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("open returns time span and signals", async () => {
    const log = await RecordedLog.open(server().client, "s", "run.mcap", () => undefined);
    expect([log.start, log.end]).toEqual([1, 3]);
    expect(log.signals.map((s) => s.ref)).toEqual(["a.x", "a.q[1]"]);
  });

  it("show requests the final span once, at screen resolution", async () => {
    const { client, asked } = server();
    const changed = vi.fn();
    const log = await RecordedLog.open(client, "s", "run.mcap", changed);
    const sources = [{ name: "a.x", ref: "a.x", path: "" }, { name: "a.q[1]", ref: "a.q", path: "[1]" }];
    for (let i = 0; i < 10; i++) log.show(sources, 1.4 + i / 100, 1.6 + i / 100, 500);
    await vi.advanceTimersByTimeAsync(200);
    const reads = asked.filter((a) => a["method"] === "record.read");
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatchObject({ system: "s", id: "7", points: 2000, signals: [{ ref: "a.x" }, { ref: "a.q", element: 1 }] });
    expect(changed).toHaveBeenCalledOnce();
    expect(log.rings.get("a.x")?.at(2)).toBe(3);
    expect(log.rings.get("a.q[1]")?.gaps.nan).toBe(1);
  });

  it("problem holds the error of a failed read", async () => {
    const { client } = server();
    const log = await RecordedLog.open(client, "s", "run.mcap", () => undefined);
    Object.assign(client, { request: () => Promise.reject(new Error("no such log")) });
    log.show([{ name: "a.x", ref: "a.x", path: "" }], 1, 2, 100);
    await vi.advanceTimersByTimeAsync(200);
    expect(log.problem).toBe("no such log");
  });
});
