import { expect, test } from "vitest";
import type { Client } from "./client";
import { Params } from "./params.svelte";
import type { ConsoleEvent } from "./wire";

/** A client of a system whose parameter can be changed without an event, as by a restart. */
function client(): { client: Client; run: { kp: number }; emit: (e: Partial<ConsoleEvent>) => Promise<void> } {
  const run = { kp: 72 };
  let heard: (e: ConsoleEvent) => void = () => undefined;
  const c = {
    request: () => Promise.resolve(run.kp),
    onEvent: (f: (e: ConsoleEvent) => void) => ((heard = f), () => undefined),
    onState: () => () => undefined,
  };
  const emit = async (e: Partial<ConsoleEvent>): Promise<void> => {
    heard({ system: "janus", ...e } as ConsoleEvent);
    await new Promise((done) => setTimeout(done));
  };
  return { client: c as unknown as Client, run, emit };
}

test("parameters that are shown are requested again when another operator has restarted the system", async () => {
  const { client: c, run, emit } = client();
  const params = new Params(c);
  params.choose("janus");
  params.follow(["pid1.kp"]);
  await emit({ kind: "log" });
  expect(params.values.get("pid1.kp")).toBe(72);
  run.kp = 65;
  await emit({ kind: "back", system: "walker" });
  await emit({ kind: "change", action: "set", ref: "pid2" });
  expect(params.values.get("pid1.kp")).toBe(72);
  await emit({ kind: "back" });
  expect(params.values.get("pid1.kp")).toBe(65);
  run.kp = 50;
  await emit({ kind: "change", action: "set", ref: "pid1" });
  expect(params.values.get("pid1.kp")).toBe(50);
});
