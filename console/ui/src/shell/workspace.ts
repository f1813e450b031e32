// Workspaces: several pages side by side, saved as a panel with the key pages.
import type { App } from "../lib/app.svelte";
import { pages, readAddress } from "../lib/route.svelte";
import type { Value } from "../lib/wire";
import type { Command } from "./commands";

const mostListed = 50; // panels that the palette reads

/** Returns the addresses of a panel's pages; none if it is no workspace. */
export function pagesOf(panel: Value | undefined): string[] {
  const list = panel !== null && typeof panel === "object" && !Array.isArray(panel) ? panel["pages"] : undefined;
  return Array.isArray(list) ? list.filter((a) => typeof a === "string") : [];
}

/** Returns the titles of pages: "Robot | Scope". */
export function titleOf(addresses: string[]): string {
  return addresses.map((a) => pages.find((p) => p.name === readAddress(a).page)?.title).join(" | ");
}

/** Returns the palette's entries for the saved workspaces of the selected system. */
export async function workspaceCommands(app: App): Promise<Command[]> {
  const { client, system } = app;
  const names = await client.request("panels.list", { system });
  const panels = await Promise.all(names.slice(0, mostListed).map((name) => client.request("panels.get", { system, name }).catch(() => null)));
  return panels.flatMap((p, i): Command[] => {
    const addresses = pagesOf(p?.panel);
    return addresses.length === 0 ? [] : [{ id: `workspace ${names[i] ?? ""}`, kind: "workspace", title: names[i] ?? "", hint: titleOf(addresses), run: () => app.route.open(addresses) }];
  });
}
