// Newest values of ports, as labels show them: ten times a second, with one watch for all who look.
import { SvelteMap } from "svelte/reactivity";
import type { Link, Watch } from "./link";
import type { Value } from "./wire";

const rate = 10; // a second; faster no one reads
const settle = 50; // ms; changes of what is looked at are gathered

export class Live {
  /** Newest value by reference of a port. Reading an entry in a component makes it follow. */
  readonly values = new SvelteMap<string, Value>();

  private readonly lookers = new Map<string, number>();
  private system = "";
  private watch: Watch | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly link: Link) {}

  choose(system: string): void {
    this.system = system;
    this.values.clear();
    this.again();
  }

  /** Follows ports until the returned function is called. For $effect. */
  look(refs: string[]): () => void {
    for (const r of refs) this.lookers.set(r, (this.lookers.get(r) ?? 0) + 1);
    this.again();
    return () => {
      for (const r of refs) {
        const n = (this.lookers.get(r) ?? 1) - 1;
        if (n > 0) this.lookers.set(r, n);
        else this.lookers.delete(r);
      }
      this.again();
    };
  }

  private again(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), settle);
  }

  private begin(): void {
    this.watch?.stop();
    this.watch = undefined;
    const refs = [...this.lookers.keys()];
    if (refs.length === 0 || this.system === "") return;
    this.watch = this.link.watch(
      this.system,
      refs.map((ref) => ({ ref })),
      rate,
      (f) => {
        for (const [signal, , values] of f.s) {
          const ref = refs[signal];
          const value = values.at(-1);
          if (ref !== undefined && value !== undefined) this.values.set(ref, value);
        }
      },
    );
  }
}
