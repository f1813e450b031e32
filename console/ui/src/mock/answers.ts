// How the simulated console answers each request.
import type { Methods } from "../lib/methods";
import type { BlockType, NetText, Value } from "../lib/wire";
import { check, filesOf } from "./files";
import { logsOf, openLog, readLog } from "./records";
import { robotOf, solve, transforms } from "./robots";
import type { MockServer } from "./server";

export type Answers = { [M in keyof Methods]?: (s: MockServer, a: Methods[M]["args"]) => Methods[M]["result"] };

const user = "ada";

export const answers: Answers = {
  systems: (s) => s.systems.map((x) => ({ name: x.name, alive: x.alive, processes: x.structure.processes.map((p) => ({ name: p.name, host: p.host, pid: p.pid ?? 0 })) })),
  structure: (s, a) => structuredClone(s.system(a.system).structure),
  statistics: (s, a) => s.system(a.system).statistics(),
  types: (s, a) => types(s).filter((t) => !a.type || t.type === a.type),
  read: (s, a) => s.system(a.system).read(a.ref),
  param: (s, a) => s.system(a.system).params.get(a.ref) ?? null,
  feed(s, a) {
    s.system(a.system).hold(a.ref, a.value);
    s.tell(a.system, "change", `feed ${a.ref} = ${JSON.stringify(a.value)}`, "info", user);
    return null;
  },
  release(s, a) {
    s.system(a.system).hold(a.ref, undefined);
    s.tell(a.system, "change", `release ${a.ref}`, "info", user);
    return null;
  },
  set(s, a) {
    s.system(a.system).set(a.block, a.values);
    s.tell(a.system, "change", `set ${a.block} ${JSON.stringify(a.values)}`, "info", user);
    return null;
  },
  call(s, a) {
    s.tell(a.system, "change", `call ${a.ref}(${(a.args ?? []).map((x) => JSON.stringify(x)).join(", ")})`, "info", user);
    return null;
  },
  reset(s, a) {
    const block = s.system(a.system).block(a.block);
    delete block.fault;
    block.state = "running";
    s.tell(a.system, "change", `reset ${a.block}`, "info", user);
    return null;
  },
  enable(s, a) {
    const block = s.system(a.system).block(a.block);
    block.enabled = a.on;
    block.state = a.on ? "running" : "disabled";
    s.tell(a.system, "change", `enable ${a.block} = ${a.on}`, "info", user);
    return null;
  },
  stop(s, a) {
    s.system(a.system).alive = false;
    s.tell(a.system, "gone", "stopped", "info", user);
    return null;
  },
  start(s, a) {
    s.system(a.system).restart();
    s.tell(a.system, "back", "started", "info", user);
    return null;
  },
  restart(s, a) {
    s.system(a.system).restart();
    s.tell(a.system, "back", "restarted", "info", user);
    return null;
  },
  save: () => ({ diff: "--- janus.yaml\n+++ janus.yaml\n@@ -41 +41 @@\n-  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3, kd: 100}}\n+  pid1:       {type: servo.PID, thread: servo, params: {kp: 95, ki: 3, kd: 100}}\n" }),
  "net.get": (s, a) => netOf(s, a.system, a.file),
  "net.check": (s, a) => ({ errors: check(a.text, types(s)) }),
  "net.put"(s, a) {
    const faults = check(a.text, types(s));
    if (faults[0]) throw new Error(`${faults[0].line}:${faults[0].column}: ${faults[0].text}`);
    const old = netOf(s, a.system, a.file);
    if (a.version && a.version !== old.version) throw new Error("the file has changed since it was opened here");
    s.files.set(old.file, a.text);
    s.tell(a.system, "change", "net.put system file", "info", user);
    return netOf(s, a.system, a.file);
  },
  log: (s, a) => s.events.filter((e) => e.seq > (a.after ?? 0) && (!a.system || e.system === a.system)),
  "panels.list": (s, a) => [...s.panels.keys()].filter((k) => k.startsWith(a.system + "/")).map((k) => k.slice(a.system.length + 1)),
  "panels.get"(s, a) {
    const panel = s.panels.get(`${a.system}/${a.name}`);
    if (panel === undefined) throw new Error(`${a.system} has no panel ${JSON.stringify(a.name)}`);
    return { yaml: JSON.stringify(panel, null, 2), panel };
  },
  "panels.put"(s, a) {
    s.panels.set(`${a.system}/${a.name}`, structuredClone(a.panel) as Value);
    return null;
  },
  "panels.remove"(s, a) {
    s.panels.delete(`${a.system}/${a.name}`);
    return null;
  },
  widgets: () => [],
  "record.list": (s, a) => logsOf(s.system(a.system)),
  "record.open": (s, a) => openLog(s.system(a.system), a.file),
  "record.read": (s, a) => readLog(s.system(a.system), a),
  robot: (s, a) => ({ robots: robotOf(s.system(a.system).name), notes: [] }),
  fk: (_, a) => ({ frames: transforms(a.q) }),
  ik: (_, a) => solve(a.q),
};

function netOf(s: MockServer, system: string, file?: string): NetText {
  const all = filesOf(s.system(system));
  const found = all.find((f) => f.file === (file ?? all[0]?.file));
  if (!found) throw new Error(`${file ?? ""} is none of the files of ${system}`);
  const text = s.files.get(found.file) ?? found.text;
  return { file: found.file, text, version: String(text.length), files: all.map(({ text: _, ...f }) => f) };
}

/** The types of all blocks there are, each once. */
function types(s: MockServer): BlockType[] {
  const all = new Map<string, BlockType>();
  for (const b of s.systems.flatMap((x) => x.structure.blocks)) {
    if (!all.has(b.type)) all.set(b.type, { type: b.type, doc: "", ports: (b.ports ?? []).map(({ from: _, ...p }) => p), params: b.params, operations: b.operations });
  }
  return [...all.values()].sort((a, b) => a.type.localeCompare(b.type));
}
