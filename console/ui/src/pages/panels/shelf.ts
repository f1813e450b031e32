// The panels of a system, where the server keeps them.

import type { Link } from "../../lib/link";
import { readPanel, writePanel, type Panel } from "./panel";

export class Shelf {
  constructor(
    private readonly link: Link,
    private readonly system: string,
  ) {}

  async names(): Promise<string[]> {
    return [...(await this.link.request("panels.list", { system: this.system }))].sort((a, b) => a.localeCompare(b));
  }

  async get(name: string): Promise<{ panel: Panel; problems: string[]; yaml: string }> {
    const answer = await this.link.request("panels.get", { system: this.system, name });
    return { ...readPanel(answer.panel), yaml: answer.yaml };
  }

  async put(name: string, panel: Panel): Promise<void> {
    await this.link.request("panels.put", { system: this.system, name, panel: writePanel(panel) });
  }

  async remove(name: string): Promise<void> {
    await this.link.request("panels.remove", { system: this.system, name });
  }
}
