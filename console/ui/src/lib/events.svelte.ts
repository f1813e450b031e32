// The newest events of all systems, in bounded memory. What happened while the page was away is asked for.
import type { Link } from "./link";
import type { ConsoleEvent } from "./wire";

const most = 2_000;
const gather = 100; // ms: a flood becomes ten updates a second

/** ms since 1970; of no event 0 */
const time = (e: ConsoleEvent | undefined): number => (e === undefined ? 0 : Date.parse(e.time));

export class Events {
  /** Oldest first. */
  list = $state.raw<ConsoleEvent[]>([]);
  private waiting: ConsoleEvent[] = [];
  private last = 0; // seq of the newest

  constructor(private readonly link: Link) {
    link.onEvent((e) => this.add([e]));
    link.onState((s) => {
      if (s === "connected") void this.catchUp();
    });
  }

  private async catchUp(): Promise<void> {
    try {
      const all = await this.link.request("log", { after: this.last });
      if (all.length === 0 && this.last > 0) {
        const fresh = await this.link.request("log", {}); // a console that began anew counts from 1
        if ((fresh.at(-1)?.seq ?? this.last) < this.last) {
          this.last = 0;
          this.add(fresh);
        }
      }
      this.add(all);
    } catch {
      // the next connection asks again
    }
  }

  private add(events: ConsoleEvent[]): void {
    const fresh = events.filter((e) => e.seq > this.last);
    this.last = Math.max(this.last, ...fresh.map((e) => e.seq));
    if (fresh.length === 0) return;
    if (this.waiting.length === 0) setTimeout(() => this.show(), gather);
    this.waiting.push(...fresh);
  }

  private show(): void {
    const newest = time(this.list.at(-1));
    const late = this.waiting.some((e) => time(e) < newest); // a system's past, which the console learns when it finds it
    const all = [...this.list, ...this.waiting];
    this.list = (late ? all.sort((a, b) => time(a) - time(b)) : all).slice(-most);
    this.waiting = [];
  }
}
