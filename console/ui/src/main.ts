// Start of the console's page.
import { mount } from "svelte";
import App from "./shell/App.svelte";
import { Console } from "./lib/console.svelte";
import type { Link } from "./lib/link";
import { NatsLink } from "./lib/nats";
import "./shell/theme.css";

/** The line to the server; builds other than the one for production have a simulated one behind ?mock. */
async function connect(): Promise<Link> {
  if (import.meta.env.MODE !== "production" && new URLSearchParams(location.search).has("mock")) {
    const { MockLink } = await import("./mock/link");
    return new MockLink();
  }
  return new NatsLink(new URL(location.origin));
}

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no element #app");
mount(App, { target, props: { console: new Console(await connect()) } });
