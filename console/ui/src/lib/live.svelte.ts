// Newest values of ports, as labels show them: ten times a second, with one watch for all who look.
import { SvelteMap } from "svelte/reactivity";
import type { Link, Watch } from "./link";
import type { Value } from "./wire";

const rate = 10; // a second; faster no one reads
const settle = 150; // ms; changes of what is looked at are gathered
const retry = 3_000; // ms, when the system refused a signal

export class Live {
  /** Newest value by reference of a port. Reading an entry in a component makes it follow. */
  readonly values = new SvelteMap<string, Value>();

  private readonly lookers = new Map<string, number>();
  private system = "";
  private watch: Watch | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watched = ""; // what the watch is of

  /** exists tells whether a port is there: one that is not would spoil the watch of all. */
  constructor(
    private readonly link: Link,
    private readonly exists: (ref: string) => boolean,
  ) {}

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

  /** Begins anew, soon, if what is there or looked at has changed. */
  again(after = settle): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), after);
  }

  private begin(): void {
    const refs = [...this.lookers.keys()].filter((r) => this.exists(r)).sort();
    const wanted = JSON.stringify([this.system, refs]);
    if (wanted === this.watched) return;
    this.watch?.stop();
    this.watch = undefined;
    this.watched = wanted;
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
      () => {
        this.watched = "";
        this.again(retry);
      },
    );
  }
}
