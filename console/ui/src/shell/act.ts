// Carries out the palette's orders.
import { tick } from "svelte";
import type { App } from "../lib/app.svelte";
import { exact, show } from "../lib/value";
import type { Order } from "./orders";

/** Carries out an order and returns the answer; rejects with the reason if it fails. */
export async function act(app: App, order: Order): Promise<string> {
  const { system, client } = app;
  switch (order.verb) {
    case "set": {
      const ref = `${order.block}.${order.param}`;
      const before = await client.request("param", { system, ref });
      await client.request("set", { system, ref: order.block, named: { [order.param]: order.value } });
      const now = await client.request("param", { system, ref });
      app.params.values.set(ref, now);
      return `${ref}: ${exact(before)} → ${exact(now)}`;
    }
    case "hold":
      await client.request("feed", { system, ref: order.ref, value: order.value });
      await app.running.load();
      return `${order.ref} is held at ${exact(order.value)} until it is released`;
    case "release":
      for (const ref of order.refs) await client.request("release", { system, ref });
      await app.running.load();
      return `Released: ${order.refs.join(", ")}`;
    case "call": {
      const result = await client.request("call", { system, ref: order.ref, args: order.args });
      return result === null || result === undefined ? `${order.ref}: done` : `${order.ref}: ${show(result, 6, 200)}`;
    }
    case "plot": {
      const { ScopeSession } = await import("../pages/scope/session.svelte");
      const session = app.shared(ScopeSession);
      await tick(); // a new scope restores its signals first
      await session.plot(order.signals);
      app.route.go("scope");
      return "";
    }
    case "stop":
      await client.request("stop", { system });
      return `${system} is stopping`;
    case "keys":
      app.keys = true;
      return "";
  }
}
