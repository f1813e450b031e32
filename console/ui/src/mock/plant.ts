// A net of 500 blocks in nested groups, for performance tests: 5 lines of 10 cells of 10 blocks.
import type { Block, NetLink, Param, Port, Statistics, ThreadStatistics, Value } from "../lib/wire";
import type { Recording } from "./system";

const lines = 5;
const cells = 10;

interface Part {
  name: string;
  type: string;
  in: string[];
  out: string[];
  params?: Record<string, number>;
}

const parts: Part[] = [
  { name: "encoder", type: "plant.Encoder", in: ["angle"], out: ["counts", "index"] },
  { name: "position", type: "plant.Scale", in: ["in"], out: ["out"], params: { gain: 0.001 } },
  { name: "velocity", type: "plant.Derivative", in: ["in"], out: ["out"], params: { cutoff: 50 } },
  { name: "observer", type: "plant.Observer", in: ["position", "velocity", "torque"], out: ["state", "disturbance"], params: { bandwidth: 120 } },
  { name: "trajectory", type: "plant.Profile", in: ["target"], out: ["position", "velocity"], params: { vmax: 2, amax: 8 } },
  { name: "pid", type: "servo.PID", in: ["ref", "sen"], out: ["out"], params: { kp: 40, ki: 2, kd: 12 } },
  { name: "feedforward", type: "plant.Inertia", in: ["velocity"], out: ["torque"], params: { inertia: 0.02 } },
  { name: "sum", type: "flow.Sum", in: ["in1", "in2", "in3"], out: ["out"] },
  { name: "limit", type: "flow.Limit", in: ["in"], out: ["out"], params: { max: 10 } },
  { name: "drive", type: "plant.Drive", in: ["torque"], out: ["angle", "current"], params: { resistance: 0.8 } },
];

const inner: [string, string][] = [
  ["drive.angle", "encoder.angle"],
  ["encoder.counts", "position.in"],
  ["position.out", "velocity.in"],
  ["position.out", "observer.position"],
  ["velocity.out", "observer.velocity"],
  ["trajectory.position", "pid.ref"],
  ["observer.state", "pid.sen"],
  ["trajectory.velocity", "feedforward.velocity"],
  ["pid.out", "sum.in1"],
  ["feedforward.torque", "sum.in2"],
  ["observer.disturbance", "sum.in3"],
  ["sum.out", "limit.in"],
  ["limit.out", "drive.torque"],
  ["limit.out", "observer.torque"],
];

const distribution = { p50_ns: 9000, p99_ns: 21000, p999_ns: 40000, max_ns: 61000, buckets: Array.from({ length: 24 }, (_, i) => ({ from_ns: 4000 + i * 2000, to_ns: 6000 + i * 2000, count: Math.round(40000 * Math.exp(-((i - 4) ** 2) / 8)) + (i > 12 ? 3 : 0) })) };

export function plant(): Recording {
  const blocks: Block[] = [];
  const links: NetLink[] = [];
  const params: Record<string, Value> = {};
  for (let l = 1; l <= lines; l++) {
    for (let c = 1; c <= cells; c++) {
      const cell = `line${l}.cell${c}`;
      for (const p of parts) blocks.push(block(cell, p, `line${l}`));
      for (const p of parts) for (const [k, v] of Object.entries(p.params ?? {})) params[`${cell}.${p.name}.${k}`] = v;
      for (const [from, to] of inner) links.push({ from: `${cell}.${from}`, to: `${cell}.${to}`, ...(from === "drive.angle" ? { delay: true } : {}) });
      if (c > 1) links.push({ from: `line${l}.cell${c - 1}.position.out`, to: `${cell}.trajectory.target` });
    }
    if (l > 1) links.push({ from: `line${l - 1}.cell${cells}.position.out`, to: `line${l}.cell1.trajectory.target`, every: 10 });
  }
  const from = new Map(links.map((l) => [l.to, l.from]));
  for (const b of blocks) {
    for (const p of b.ports ?? []) {
      const f = from.get(`${b.name}.${p.name}`);
      if (f) p.from = f;
    }
  }
  const broken = blocks[137];
  if (broken) broken.fault = "observer: state is NaN since 12.41 s; reset the block once its inputs are finite";
  const threads = Array.from({ length: lines }, (_, i) => ({ name: `line${i + 1}`, process: "main", host: "cell", period_s: 0.001, priority: 80 - i }));
  return {
    structure: { system: "plant", file: "/home/ada/robots/plant.yaml", pid: 812, processes: [{ name: "main", host: "cell", pid: 812 }], threads, blocks, links },
    statistics: statistics(blocks, threads),
    params,
    values: {},
  };
}

function block(cell: string, p: Part, thread: string): Block {
  const port = (kind: Port["kind"]) => (name: string): Port => ({ name, kind, type: "float64", unit: /torque/.test(name) ? "N m" : "rad", doc: `${name} of the ${p.name}` });
  return {
    name: `${cell}.${p.name}`,
    type: p.type,
    process: "main",
    thread,
    ports: [...p.in.map(port("input")), ...p.out.map(port("output"))],
    params: Object.keys(p.params ?? {}).map((name): Param => ({ name, type: "float64", min: 0, doc: `${name} of the ${p.name}` })),
    operations: p.name === "drive" ? [{ name: "brake", doc: "closes or opens the brake", args: [{ name: "closed", type: "bool" }] }] : [],
  };
}

function statistics(blocks: Block[], threads: Recording["structure"]["threads"]): Statistics {
  return {
    system: "plant",
    duration_s: 0,
    wall_s: 0,
    virtual: false,
    faults: ["line2.cell4.limit: observer: state is NaN since 12.41 s"],
    warnings: [],
    units: {},
    links: [],
    threads: threads.map((t, i): ThreadStatistics => {
      let at = 0;
      const steps = blocks
        .filter((b) => b.thread === t.name)
        .map((b, k) => {
          const cost = 400 + ((k * 7919) % 2600) + (b.type === "plant.Observer" ? 9000 : 0);
          at += cost;
          return { block: b.name, part: "Step", begin_ns: at - cost, end_ns: at, p50_ns: cost, p99_ns: Math.round(cost * 1.4), max_ns: cost * 3 };
        });
      return { ...t, activations: 0, slips: i === 3 ? 17 : 0, page_faults: 0, lost_samples: 0, jitter: distribution, cycle: { ...distribution, p50_ns: at, p99_ns: Math.round(at * 1.1), max_ns: at * 2 }, steps };
    }),
  };
}
