// Structure and statistics of the selected system, kept up to date.
import type { Client } from "./client";
import { messageOf } from "./errors";
import type { Block, Port, Statistics, Structure } from "./wire";

const statisticsEvery = 1_000; // ms, while a component follows them
const structureEvery = 5_000; // ms; events trigger an earlier refresh

export class Running {
  structure = $state.raw<Structure | null>(null);
  statistics = $state.raw<Statistics | null>(null);
  /** Why the last request for the structure failed; "" after success. */
  problem = $state("");
  /** Blocks by name, and ports by reference. */
  readonly blocks = $derived(new Map<string, Block>((this.structure?.blocks ?? []).map((b) => [b.name, b])));
  readonly ports = $derived(new Map<string, Port>((this.structure?.blocks ?? []).flatMap((b) => (b.ports ?? []).map((p): [string, Port] => [`${b.name}.${p.name}`, p]))));

  private readonly periods = $derived.by(() => {
    const threads = new Map((this.structure?.threads ?? []).map((t) => [`${t.process ?? ""}/${t.name}`, Math.round(t.period_s * 1e9)]));
    return new Map((this.structure?.blocks ?? []).map((b) => [b.name, threads.get(`${b.process ?? ""}/${b.thread}`) ?? 0]));
  });
  private system = "";
  private followers = 0;
  private shown = ""; // the structure as JSON

  /** onStructure is called when the structure has changed. */
  constructor(
    private readonly client: Client,
    private readonly onStructure: () => void,
  ) {
    client.onEvent((e) => {
      if (e.system === this.system && e.kind !== "log") void this.load();
    });
    setInterval(() => void this.load(), structureEvery);
    setInterval(() => {
      if (this.followers > 0) void this.loadStatistics();
    }, statisticsEvery);
  }

  /** Selects another system. */
  async choose(system: string): Promise<void> {
    this.system = system;
    this.structure = null;
    this.statistics = null;
    this.shown = "";
    await Promise.all([this.load(), this.loadStatistics()]);
  }

  /** Returns the period of a block's thread in ns; 0 where it is triggered or not known. */
  period(block: string): number {
    return this.periods.get(block) ?? 0;
  }

  /** Requests the structure now. */
  async load(): Promise<void> {
    const system = this.system;
    if (system === "" || this.client.state !== "connected") return;
    try {
      const structure = await this.client.request("structure", { system });
      if (system !== this.system) return;
      const text = JSON.stringify(structure);
      this.problem = "";
      if (text === this.shown) return; // unchanged
      this.shown = text;
      this.structure = structure;
      this.onStructure();
    } catch (e) {
      if (system === this.system) this.problem = messageOf(e);
    }
  }

  /** Requests statistics every second until the returned function is called. For $effect. */
  followStatistics(): () => void {
    this.followers++;
    void this.loadStatistics();
    return () => {
      this.followers--;
    };
  }

  private async loadStatistics(): Promise<void> {
    const system = this.system;
    if (system === "" || this.client.state !== "connected") return;
    try {
      const statistics = await this.client.request("statistics", { system });
      if (system === this.system) this.statistics = statistics;
    } catch {
      // problem holds the cause
    }
  }
}
