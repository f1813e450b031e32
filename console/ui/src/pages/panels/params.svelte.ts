// Values of parameters that widgets show: asked for once a second while someone looks, and at once after a change.

import { SvelteMap } from "svelte/reactivity";
import type { Link } from "../../lib/link";
import type { Value } from "../../lib/wire";

const every = 1000; // ms

export class Params {
  /** By "block.parameter". */
  readonly values = new SvelteMap<string, Value>();
  private readonly lookers = new Map<string, number>();
  private timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly link: Link,
    private readonly system: () => string,
  ) {
    this.timer = setInterval(() => this.ask([...this.lookers.keys()]), every);
  }

  /** Follows a parameter until the returned function is called. */
  look(ref: string): () => void {
    this.lookers.set(ref, (this.lookers.get(ref) ?? 0) + 1);
    this.ask([ref]);
    return () => {
      const n = (this.lookers.get(ref) ?? 1) - 1;
      if (n > 0) this.lookers.set(ref, n);
      else this.lookers.delete(ref);
    };
  }

  /** Asks for parameters now. */
  ask(refs: readonly string[]): void {
    const system = this.system();
    if (system === "" || this.link.state !== "connected") return;
    for (const ref of refs) {
      this.link.request("param", { system, ref }).then(
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
