// Parameter values for widgets: polled once a second while a widget follows them, and immediately after a change.

import { SvelteMap } from "svelte/reactivity";
import type { Client } from "../../lib/client";
import type { Value } from "../../lib/wire";

const every = 1000; // ms

export class PolledParams {
  /** By "block.parameter". */
  readonly values = new SvelteMap<string, Value>();
  private readonly followers = new Map<string, number>();
  private timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly client: Client,
    private readonly system: () => string,
  ) {
    this.timer = setInterval(() => this.ask([...this.followers.keys()]), every);
  }

  /** Follows a parameter until the returned function is called. */
  follow(ref: string): () => void {
    this.followers.set(ref, (this.followers.get(ref) ?? 0) + 1);
    this.ask([ref]);
    return () => {
      const n = (this.followers.get(ref) ?? 1) - 1;
      if (n > 0) this.followers.set(ref, n);
      else this.followers.delete(ref);
    };
  }

  /** Requests parameters now. */
  ask(refs: readonly string[]): void {
    const system = this.system();
    if (system === "" || this.client.state !== "connected") return;
    for (const ref of refs) {
      this.client.request("param", { system, ref }).then(
        (value) => {
          if (system === this.system()) this.values.set(ref, value);
        },
        () => this.values.delete(ref),
      );
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
