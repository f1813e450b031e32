// Structure and statistics of the shown system, kept up to date.
import type { Link } from "./link";
import type { Block, Port, Statistics, Structure } from "./wire";

const statisticsEvery = 1_000; // ms, while a page looks
const structureEvery = 5_000; // ms; faults and new processes tell sooner

export class Running {
  structure = $state.raw<Structure | null>(null);
  statistics = $state.raw<Statistics | null>(null);
  /** Why the structure is not there; "" when it is. */
  problem = $state("");
  /** Blocks by name, and ports by reference. */
  readonly blocks = $derived(new Map<string, Block>((this.structure?.blocks ?? []).map((b) => [b.name, b])));
  readonly ports = $derived(new Map<string, Port>((this.structure?.blocks ?? []).flatMap((b) => (b.ports ?? []).map((p): [string, Port] => [`${b.name}.${p.name}`, p]))));

  private system = "";
  private lookers = 0;
  private shown = ""; // JSON of the structure that is shown

  /** onStructure is called when another structure is shown. */
  constructor(
    private readonly link: Link,
    private readonly onStructure: () => void,
  ) {
    link.onEvent((e) => {
      if (e.system === this.system && e.kind !== "log") void this.load();
    });
    setInterval(() => void this.load(), structureEvery);
    setInterval(() => {
      if (this.lookers > 0) void this.loadStatistics();
    }, statisticsEvery);
  }

  /** Shows another system. */
  async choose(system: string): Promise<void> {
    this.system = system;
    this.structure = null;
    this.statistics = null;
    this.shown = "";
    await Promise.all([this.load(), this.loadStatistics()]);
  }

  /** Asks for the structure now. */
  async load(): Promise<void> {
    const system = this.system;
    if (system === "" || this.link.state !== "connected") return;
    try {
      const structure = await this.link.request("structure", { system });
      if (system !== this.system) return;
      const text = JSON.stringify(structure);
      this.problem = "";
      if (text === this.shown) return; // nothing that a page would have to draw again
      this.shown = text;
      this.structure = structure;
      this.onStructure();
    } catch (e) {
      if (system === this.system) this.problem = e instanceof Error ? e.message : String(e);
    }
  }

  /** Keeps the statistics fresh until the returned function is called. For $effect. */
  observe(): () => void {
    this.lookers++;
    void this.loadStatistics();
    return () => {
      this.lookers--;
    };
  }

  private async loadStatistics(): Promise<void> {
    const system = this.system;
    if (system === "" || this.link.state !== "connected") return;
    try {
      const statistics = await this.link.request("statistics", { system });
      if (system === this.system) this.statistics = statistics;
    } catch {
      // the structure's problem says it
    }
  }
}
