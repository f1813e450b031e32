// The panels of a system as stored by the server.

import type { Client } from "../../lib/client";
import { Turns } from "../../lib/turns";
import type { Value } from "../../lib/wire";
import { readPanel, writePanel, type Panel } from "./panel";

export class PanelStore {
  // Versions last read or written, by name; the server rejects a save if the file has another version.
  private readonly versions = new Map<string, string>();
  private readonly saves = new Turns();

  constructor(
    private readonly client: Client,
    private readonly system: string,
  ) {}

  async names(): Promise<string[]> {
    return [...(await this.client.request("panels.list", { system: this.system }))].sort((a, b) => a.localeCompare(b));
  }

  async get(name: string): Promise<{ panel: Panel; problems: string[]; yaml: string }> {
    const answer = await this.client.request("panels.get", { system: this.system, name });
    this.versions.set(name, answer.version);
    return { ...readPanel(answer.panel), yaml: answer.yaml };
  }

  /** Returns a panel as it is on disk, as text for a comparison with textOf; the version that a save replaces stays. */
  async onDisk(name: string): Promise<string> {
    return textOf((await this.client.request("panels.get", { system: this.system, name })).panel);
  }

  /** Saves a panel. Rejects if it has changed on disk since it was read, unless overwrite is set. */
  put(name: string, panel: Panel, overwrite = false): Promise<void> {
    return this.saves.run(async () => {
      const version = overwrite ? "" : (this.versions.get(name) ?? "absent");
      const answer = await this.client.request("panels.put", { system: this.system, name, panel: writePanel(panel), version });
      this.versions.set(name, answer.version);
    });
  }

  async remove(name: string): Promise<void> {
    await this.client.request("panels.remove", { system: this.system, name });
    this.versions.delete(name);
  }
}

/** Returns the value of a panel as text with a line for each widget. */
export function textOf(panel: Value): string {
  const fields = panel !== null && typeof panel === "object" && !Array.isArray(panel) ? panel : {};
  const widgets = Array.isArray(fields["widgets"]) ? fields["widgets"] : [];
  const rest = Object.entries(fields).filter(([k]) => k !== "widgets");
  return [...rest.map(([k, v]) => `${k}: ${JSON.stringify(v)}`), ...widgets.map((w) => `widget ${JSON.stringify(w)}`)].join("\n");
}
