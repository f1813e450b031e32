// The condition of the selected system: what is held, disabled, in error or not finite, and slips. The console sends it when it changes.
import type { Client } from "./client";
import type { Condition } from "./condition";

const every = 5_000; // ms; a lost message is made up for after that time at the latest

export class Conditions {
  /** The newest condition; null until the first has arrived, or if the system does not provide it. */
  now = $state.raw<Condition | null>(null);
  readonly held = $derived(new Set(this.now?.held));
  readonly nonFinite = $derived(new Set(this.now?.non_finite));
  /** Number of missed periods of all threads. */
  readonly slips = $derived((this.now?.slips ?? []).reduce((n, t) => n + t.slips, 0));

  private system = "";

  constructor(private readonly client: Client) {
    client.onCondition((system, c) => {
      if (system === this.system) this.show(c);
    });
    client.onState((s) => {
      if (s === "connected") void this.load();
    });
    setInterval(() => void this.load(), every);
  }

  choose(system: string): void {
    this.system = system;
    this.now = null;
    void this.load();
  }

  private async load(): Promise<void> {
    const system = this.system;
    if (system === "" || this.client.state !== "connected") return;
    try {
      const c = await this.client.request("condition", { system });
      if (system === this.system) this.show(c);
    } catch {
      // the system has ended: its last condition stays
    }
  }

  private show(c: Condition): void {
    if (JSON.stringify(c) !== JSON.stringify(this.now)) this.now = c;
  }
}
