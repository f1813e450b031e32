// Parameter values of the selected system: requested once, and again after a change of their block and with each run of the system.
import { SvelteMap } from "svelte/reactivity";
import type { Client } from "./client";
import type { Value } from "./wire";

const concurrent = 16; // requests in flight

export class Params {
  /** Value by "block.param"; null if the system returned none; reactive. */
  readonly values = new SvelteMap<string, Value>();

  private system = "";
  private readonly followers = new Map<string, number>();
  private queue: string[] = [];
  private running = 0;

  constructor(private readonly client: Client) {
    client.onEvent((e) => {
      if (e.system !== this.system) return;
      if (e.kind === "change" && e.action === "set") this.changed(e.ref ?? "");
      if (e.kind === "back") this.choose(this.system);
    });
    client.onState((s) => {
      if (s === "connected") this.choose(this.system);
    });
  }

  choose(system: string): void {
    this.system = system;
    this.values.clear();
    this.queue = [...this.followers.keys()];
    this.work();
  }

  /** Follows parameters until the returned function is called. For $effect. */
  follow(refs: string[]): () => void {
    for (const r of refs) {
      const n = this.followers.get(r) ?? 0;
      this.followers.set(r, n + 1);
      if (n === 0) this.queue.push(r);
    }
    this.work();
    return () => {
      for (const r of refs) {
        const n = (this.followers.get(r) ?? 1) - 1;
        if (n > 0) this.followers.set(r, n);
        else this.followers.delete(r);
      }
    };
  }

  /** Requests the followed parameters of a block again. */
  changed(block: string): void {
    this.queue.push(...[...this.followers.keys()].filter((r) => r.slice(0, r.lastIndexOf(".")) === block));
    this.work();
  }

  private work(): void {
    while (this.running < concurrent && this.queue.length > 0) {
      const ref = this.queue.shift() ?? "";
      this.running++;
      void this.ask(ref).finally(() => {
        this.running--;
        this.work();
      });
    }
  }

  private async ask(ref: string): Promise<void> {
    const system = this.system;
    if (system === "" || !this.followers.has(ref)) return;
    const value = await this.client.request("param", { system, ref }).catch(() => null);
    if (system === this.system) this.values.set(ref, value);
  }
}
