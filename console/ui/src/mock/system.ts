// A simulated system: a recorded structure with settable parameters and moving port values.
import type { Condition } from "../lib/condition";
import type { Excitation } from "../lib/excitation";
import type { Block, Port, Reading, Statistics, StepStatistics, Structure, Value } from "../lib/wire";

export interface Recording {
  structure: Structure;
  statistics: Statistics;
  params: Record<string, Value>;
  values: Record<string, Value>;
}

/** Computes the values of some ports; undefined for others. t in s. */
export interface Simulation {
  sample(ref: string, t: number, params: Map<string, Value>): Value | undefined;
}

export class MockSystem {
  alive = true;
  /** Whether no block publishes the robot's joint positions. */
  silent = false;
  /** How old the values of ports are when they come, in ns. */
  readonly ages = new Map<string, number>();
  readonly structure: Structure;
  readonly params: Map<string, Value>;
  private readonly overrides = new Map<string, Value>();
  private readonly waves = new Map<string, { e: Excitation; since: number; until: number }>();
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

  /** Overrides a port's value; undefined releases it. */
  override(ref: string, value: Value | undefined): void {
    this.port(ref).by_hand = value !== undefined;
    this.waves.delete(ref);
    if (value === undefined) this.overrides.delete(ref);
    else this.overrides.set(ref, value);
  }

  /** Feeds a waveform to a port, or renews it; returns whether one runs. */
  excite(ref: string, e: Excitation | undefined, lasts: number): boolean {
    const now = this.now();
    const running = this.waves.get(ref);
    if (e === undefined && (running === undefined || now > running.until)) return false;
    if (e !== undefined) this.port(ref);
    const wave = e === undefined ? running : { e, since: now, until: now };
    if (wave !== undefined) this.waves.set(ref, { ...wave, until: Math.min(now + lasts, wave.since + wave.e.duration_s) });
    return true;
  }

  private excited(ref: string, t: number): number | undefined {
    const wave = this.waves.get(ref);
    if (wave === undefined || t < wave.since || t > wave.until) return undefined;
    const { shape, centre, amplitude, duration_s: T, from_hz: from = 1, to_hz: to = 1 } = wave.e;
    const s = t - wave.since;
    if (shape === "step") return s < T / 10 ? centre : centre + amplitude;
    const k = Math.log(to / from);
    if (shape === "sweep") return centre + amplitude * Math.sin(2 * Math.PI * from * (k === 0 ? s : (T / k) * Math.expm1((k * s) / T)));
    return centre + amplitude * Math.sin(1e4 * Math.sin(Math.floor(2 * to * s)));
  }

  period(ref: string): number {
    return this.periods.get(ref.slice(0, ref.lastIndexOf("."))) ?? 0.01;
  }

  /** Returns the value of a port at a time in s. */
  sample(ref: string, t: number): Value {
    const excited = this.excited(ref, t);
    if (excited !== undefined) return excited;
    const overridden = this.overrides.get(ref);
    if (overridden !== undefined) return overridden;
    const source = this.sources.get(ref);
    if (source) return this.sample(source, t);
    return this.simulation?.sample(ref, t, this.params) ?? wave(ref, this.recording.values[ref] ?? zero(this.ports.get(ref)?.type ?? ""), t);
  }

  read(ref: string): Reading {
    const p = this.port(ref);
    const written = this.overrides.has(ref) || p.kind === "output" || p.from !== undefined;
    return { value: this.sample(ref, this.now()), count: written ? Math.floor(this.now() / this.period(ref)) : 0 };
  }

  set(block: string, values: Record<string, Value>): void {
    const params = this.block(block).params ?? [];
    for (const [name, v] of Object.entries(values)) {
      const p = params.find((x) => x.name === name);
      if (!p) throw new Error(`${block} has no parameter ${name}`);
      if (p.fixed) throw new Error(`${block}.${name} is fixed: it is read only at start`);
      if (typeof v === "number" && p.min !== undefined && v < p.min) throw new Error(`${block}.${name} = ${v}: must be at least ${p.min}`);
      if (typeof v === "number" && p.max !== undefined && v > p.max) throw new Error(`${block}.${name} = ${v}: must be at most ${p.max}`);
    }
    for (const [name, v] of Object.entries(values)) this.params.set(`${block}.${name}`, v);
  }

  condition(): Condition {
    const { blocks } = this.structure;
    const slips = (this.recording.statistics.threads ?? []).filter((t) => t.slips > 0).map((t) => ({ process: "main", thread: t.name, slips: t.slips }));
    const faulty = blocks.filter((b) => b.fault);
    return {
      held: [...this.overrides.keys()],
      non_finite: [],
      disabled: blocks.filter((b) => b.state === "disabled").map((b) => b.name),
      resting: blocks.filter((b) => b.state === "resting").map((b) => b.name),
      faults: faulty.map((b) => ({ block: b.name, why: b.fault ?? "" })),
      fault_count: faulty.length,
      slips,
      problems: [],
    };
  }

  statistics(): Statistics {
    const s = structuredClone(this.recording.statistics);
    const t = this.now();
    s.duration_s = t;
    for (const th of s.threads ?? []) {
      th.activations = Math.floor(t / (th.period_s || 0.01));
      for (const step of th.steps ?? []) vary(step, t);
    }
    for (const l of s.links ?? []) {
      l.packets = Math.floor(t * 1000);
      l.age_s = 0.0004 + 0.0002 * Math.sin(3 * t);
    }
    return s;
  }
}

function vary(step: StepStatistics, t: number): void {
  const k = 1 + 0.15 * Math.sin(t / 2 + phase(step.block));
  step.p50_ns = Math.round(step.p50_ns * k);
  step.p99_ns = Math.round(step.p99_ns * k);
}

/** Varies a recorded value smoothly over time, differently for each port. */
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
