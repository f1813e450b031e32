// Values of parameters of the shown system: asked for once, and again after somebody has changed the block.
import { SvelteMap } from "svelte/reactivity";
import type { Link } from "./link";
import type { Value } from "./wire";

const atOnce = 16; // requests under way

export class Params {
  /** Value by "block.param"; null for one that the system does not give. Reading an entry in a component makes it follow. */
  readonly values = new SvelteMap<string, Value>();

  private system = "";
  private readonly lookers = new Map<string, number>();
  private queue: string[] = [];
  private running = 0;

  constructor(private readonly link: Link) {
    link.onEvent((e) => {
      if (e.kind === "change" && e.system === this.system && e.text.startsWith("set ")) this.changed(e.text.slice(4));
    });
    link.onState((s) => {
      if (s === "connected") this.choose(this.system);
    });
  }

  choose(system: string): void {
    this.system = system;
    this.values.clear();
    this.queue = [...this.lookers.keys()];
    this.work();
  }

  /** Follows parameters until the returned function is called. For $effect. */
  look(refs: string[]): () => void {
    for (const r of refs) {
      const n = this.lookers.get(r) ?? 0;
      this.lookers.set(r, n + 1);
      if (n === 0) this.queue.push(r);
    }
    this.work();
    return () => {
      for (const r of refs) {
        const n = (this.lookers.get(r) ?? 1) - 1;
        if (n > 0) this.lookers.set(r, n);
        else this.lookers.delete(r);
      }
    };
  }

  /** Asks again for the parameters of a block, given as the beginning of a text. */
  changed(text: string): void {
    this.queue.push(...[...this.lookers.keys()].filter((r) => text.startsWith(r.slice(0, r.lastIndexOf(".")))));
    this.work();
  }

  private work(): void {
    while (this.running < atOnce && this.queue.length > 0) {
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
    if (system === "" || !this.lookers.has(ref)) return;
    const value = await this.link.request("param", { system, ref }).catch(() => null);
    if (system === this.system) this.values.set(ref, value);
  }
}
