// The event log: at most 2,000 of the newest events of all systems. After a reconnect it requests the events missed meanwhile.
import type { Client } from "./client";
import type { ConsoleEvent } from "./wire";

const most = 2_000;
const batch = 100; // ms; at most ten updates a second

/** ms since 1970; 0 without an event */
const time = (e: ConsoleEvent | undefined): number => (e === undefined ? 0 : Date.parse(e.time));

export class Events {
  /** Oldest first. */
  list = $state.raw<ConsoleEvent[]>([]);
  private pending: ConsoleEvent[] = [];
  private known = new Set<number>(); // seq of those in list and pending
  private last = 0; // the greatest seq

  constructor(private readonly client: Client) {
    client.onEvent((e) => this.add([e]));
    client.onState((s) => {
      if (s === "connected") void this.catchUp();
    });
  }

  private async catchUp(): Promise<void> {
    try {
      this.add(await this.client.request("log", { after: this.last }));
    } catch {
      // the next connection retries
    }
  }

  /** Adds events; those that came before the answer to a request are in it again. */
  private add(events: ConsoleEvent[]): void {
    const fresh = events.filter((e) => !this.known.has(e.seq));
    if (fresh.length === 0) return;
    for (const { seq } of fresh) this.known.add(seq);
    this.last = Math.max(this.last, ...fresh.map((e) => e.seq));
    if (this.pending.length === 0) setTimeout(() => this.show(), batch);
    this.pending.push(...fresh);
  }

  private show(): void {
    const newest = time(this.list.at(-1));
    const late = this.pending.some((e) => time(e) < newest); // history of a system that the console has just found
    const all = [...this.list, ...this.pending];
    this.list = (late ? all.sort((a, b) => time(a) - time(b)) : all).slice(-most);
    this.pending = [];
    this.known = new Set(this.list.map((e) => e.seq));
  }
}
