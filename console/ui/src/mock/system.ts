// A simulated system: a recorded structure whose parameters can be set and whose ports move.
import type { Block, Port, Reading, Statistics, StepStatistics, Structure, Value } from "../lib/wire";

export interface Recording {
  structure: Structure;
  statistics: Statistics;
  params: Record<string, Value>;
  values: Record<string, Value>;
}

/** What computes some ports of a system: undefined for those that it does not know. t in s. */
export interface Simulation {
  sample(ref: string, t: number, params: Map<string, Value>): Value | undefined;
}

export class MockSystem {
  alive = true;
  readonly structure: Structure;
  readonly params: Map<string, Value>;
  private readonly fed = new Map<string, Value>();
  private readonly ports = new Map<string, Port>();
  private readonly periods = new Map<string, number>();
  private readonly sources = new Map<string, string>();
  private started = performance.now();

  constructor(
    private readonly recording: Recording,
    private readonly simulation?: Simulation,
  ) {
    this.structure = structuredClone(recording.structure);
    this.params = new Map(Object.entries(recording.params));
    const periods = new Map(this.structure.threads.map((t) => [t.name, t.period_s]));
    for (const b of this.structure.blocks) {
      b.enabled = true;
      b.state = b.fault ? "error" : "running";
      this.periods.set(b.name, periods.get(b.thread) || 0.01);
      for (const p of b.ports ?? []) {
        this.ports.set(`${b.name}.${p.name}`, p);
        if (p.from) this.sources.set(`${b.name}.${p.name}`, p.from);
      }
    }
  }

  get name(): string {
    return this.structure.system;
  }

  /** Time since the start in s. */
  now(): number {
    return this.alive ? (performance.now() - this.started) / 1000 : 0;
  }

  restart(): void {
    this.started = performance.now();
    this.alive = true;
  }

  block(name: string): Block {
    const b = this.structure.blocks.find((x) => x.name === name);
    if (!b) throw new Error(`${this.name} has no block ${JSON.stringify(name)}`);
    return b;
  }

  port(ref: string): Port {
    const p = this.ports.get(ref);
    if (!p) throw new Error(`${this.name} has no port ${JSON.stringify(ref)}`);
    return p;
  }

  /** Gives a port a value by hand; undefined releases it. */
  hold(ref: string, value: Value | undefined): void {
    this.port(ref).by_hand = value !== undefined;
    if (value === undefined) this.fed.delete(ref);
    else this.fed.set(ref, value);
  }

  period(ref: string): number {
    return this.periods.get(ref.slice(0, ref.lastIndexOf("."))) ?? 0.01;
  }

  /** Value of a port at a time. */
  sample(ref: string, t: number): Value {
    const fed = this.fed.get(ref);
    if (fed !== undefined) return fed;
    const source = this.sources.get(ref);
    if (source) return this.sample(source, t);
    return this.simulation?.sample(ref, t, this.params) ?? wave(ref, this.recording.values[ref] ?? zero(this.ports.get(ref)?.type ?? ""), t);
  }

  read(ref: string): Reading {
    const p = this.port(ref);
    const written = this.fed.has(ref) || p.kind === "output" || p.from !== undefined;
    return { value: this.sample(ref, this.now()), count: written ? Math.floor(this.now() / this.period(ref)) : 0 };
  }

  set(block: string, values: Record<string, Value>): void {
    const params = this.block(block).params ?? [];
    for (const [name, v] of Object.entries(values)) {
      const p = params.find((x) => x.name === name);
      if (!p) throw new Error(`${block} has no parameter ${name}`);
      if (p.fixed) throw new Error(`${block}.${name} is fixed: it is read at the start only`);
      if (typeof v === "number" && p.min !== undefined && v < p.min) throw new Error(`${block}.${name} = ${v}: must be at least ${p.min}`);
      if (typeof v === "number" && p.max !== undefined && v > p.max) throw new Error(`${block}.${name} = ${v}: must be at most ${p.max}`);
    }
    for (const [name, v] of Object.entries(values)) this.params.set(`${block}.${name}`, v);
  }

  statistics(): Statistics {
    const s = structuredClone(this.recording.statistics);
    const t = this.now();
    s.duration_s = t;
    for (const th of s.threads ?? []) {
      th.activations = Math.floor(t / (th.period_s || 0.01));
      for (const step of th.steps ?? []) breathe(step, t);
    }
    for (const l of s.links ?? []) {
      l.packets = Math.floor(t * 1000);
      l.age_s = 0.0004 + 0.0002 * Math.sin(3 * t);
    }
    return s;
  }
}

function breathe(step: StepStatistics, t: number): void {
  const k = 1 + 0.15 * Math.sin(t / 2 + phase(step.block));
  step.p50_ns = Math.round(step.p50_ns * k);
  step.p99_ns = Math.round(step.p99_ns * k);
}

/** A smooth movement about a recorded value, different for each port. */
export function wave(ref: string, base: Value, t: number): Value {
  if (typeof base === "number") {
    if (Number.isInteger(base) && base !== 0) return base + Math.floor(t * 10);
    return base + (0.2 + Math.abs(base)) * Math.sin(2 * Math.PI * (0.1 + 0.4 * (phase(ref) / 6.3)) * t + phase(ref));
  }
  if (Array.isArray(base)) return base.map((v, i) => wave(ref + i, v, t));
  return base;
}

function phase(s: string): number {
  let h = 7;
  for (let i = 0; i < s.length; i++) h = (h * 31 + s.charCodeAt(i)) % 62831;
  return h / 10000;
}

function zero(type: string): Value {
  if (type === "bool") return false;
  if (type === "string") return "";
  if (type.includes("[")) return [0, 0, 0];
  if (type.includes("/")) return { n: 0 };
  return 0;
}
