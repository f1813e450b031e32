// The simulated systems and their event log.
import type { FileLayout } from "../lib/layouts";
import type { ConsoleEvent, EventKind, Value } from "../lib/wire";
import janus from "./data/janus.json";
import walker from "./data/walker.json";
import { JanusSimulation } from "./janus";
import { plant } from "./plant";
import { MockSystem, type Recording } from "./system";

export class MockServer {
  readonly systems = [new MockSystem(janus as Recording, new JanusSimulation()), new MockSystem(walker as Recording), new MockSystem(plant())];
  /** Saved panels by system and name. */
  readonly panels = new Map<string, Value>();
  /** Edited files by path. */
  readonly files = new Map<string, string>();
  /** Boxes placed by hand, by the path of their file. */
  readonly layouts = new Map<string, FileLayout["boxes"]>();
  readonly events: ConsoleEvent[] = [];
  private readonly sinks = new Set<(e: ConsoleEvent) => void>();

  constructor() {
    const lines: [EventKind, string, string][] = [
      ["log", "info", "joint1: brake open"],
      ["log", "info", "moveTo [1.0, 1.0] in 10 s"],
      ["warning", "warn", "scope rests: error2 has no data for 120 ms"],
    ];
    let i = 0;
    setInterval(() => {
      const [kind, level, text] = lines[i++ % lines.length] ?? ["log", "info", ""];
      this.emit("janus", kind, text, level);
    }, 4_000);
    setTimeout(() => this.emit("plant", "fault", "line2.cell4.limit: state is NaN since 12.41 s", "error"), 300);
  }

  system(name: string): MockSystem {
    const s = this.systems.find((x) => x.name === name);
    if (!s) throw new Error(`no system ${JSON.stringify(name)} runs`);
    return s;
  }

  emit(system: string, kind: EventKind, text: string, level = "info", user?: string, change: Pick<ConsoleEvent, "action" | "ref" | "values"> = {}): void {
    const e: ConsoleEvent = { seq: this.events.length + 1, time: new Date().toISOString(), system, kind, level, text, ...(user ? { user, actor: { user } } : {}), ...change };
    this.events.push(e);
    for (const f of this.sinks) f(e);
  }

  onEvent(f: (e: ConsoleEvent) => void): () => void {
    this.sinks.add(f);
    return () => this.sinks.delete(f);
  }
}
