// Entry point of the console's page.
import { mount } from "svelte";
import Shell from "./shell/Shell.svelte";
import { pageModules, prefetchPages } from "./shell/pages";
import { App } from "./lib/app.svelte";
import type { Client } from "./lib/client";
import { NatsClient } from "./lib/nats";
import { addressesOf } from "./lib/route.svelte";
import "./shell/theme.css";

/** Returns the client of the console's server. Builds other than the production build use a simulated server with ?mock. */
async function connect(): Promise<Client> {
  if (import.meta.env.MODE !== "production" && new URLSearchParams(location.search).has("mock")) {
    const { MockClient } = await import("./mock/client");
    return new MockClient();
  }
  return new NatsClient(new URL(location.origin));
}

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no element #app");
for (const { page } of addressesOf(location.hash)) pageModules[page]().catch(() => undefined); // while the session begins; the page reports a failure
setTimeout(() => void prefetchPages(), 3_000); // after the first page is there
mount(Shell, { target, props: { app: new App(await connect()) } });
