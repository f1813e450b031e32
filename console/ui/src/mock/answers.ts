// The simulated server's answer to each request.
import type { Methods } from "../lib/methods";
import type { BlockType, NetText, Value } from "../lib/wire";
import { check, filesOf } from "./files";
import { logsOf, openLog, readLog, readPast } from "./records";
import { preview, robotOf, solve, transforms } from "./robots";
import type { MockServer } from "./server";

export type Answers = { [M in keyof Methods]?: (s: MockServer, a: Methods[M]["args"]) => Methods[M]["result"] };

const user = "ada";

/** A save was rejected because the file has changed. */
export class ChangedOnDisk extends Error {
  constructor(what: string) {
    super(`${what}: changed on disk: reload, compare or overwrite`);
  }
}

export const answers: Answers = {
  "plan.list": () => [],
  systems: (s) => s.systems.map((x) => ({ name: x.name, alive: x.alive, processes: x.structure.processes.map((p) => ({ name: p.name, host: p.host, pid: p.pid ?? 0 })) })),
  structure: (s, a) => structuredClone(s.system(a.system).structure),
  condition: (s, a) => s.system(a.system).condition(),
  statistics: (s, a) => s.system(a.system).statistics(),
  types: (s, a) => types(s).filter((t) => !a.type || t.type === a.type),
  read: (s, a) => s.system(a.system).read(a.ref),
  param: (s, a) => s.system(a.system).params.get(a.ref) ?? null,
  feed(s, a) {
    s.system(a.system).override(a.ref, a.value);
    s.emit(a.system, "change", `feed ${a.ref} = ${JSON.stringify(a.value)}`, "info", user);
    return null;
  },
  excite(s, a) {
    if (a.excitation) s.emit(a.system, "change", `excite ${a.ref} ${a.excitation.shape}`, "info", user, { action: "excite", ref: a.ref });
    return s.system(a.system).excite(a.ref, a.excitation, a.for_s);
  },
  release(s, a) {
    s.system(a.system).override(a.ref, undefined);
    s.emit(a.system, "change", `release ${a.ref}`, "info", user);
    return null;
  },
  set(s, a) {
    const old = s.system(a.system).params;
    const text = Object.entries(a.named).map(([name, v]) => `${a.ref}.${name} ${JSON.stringify(old.get(`${a.ref}.${name}`))} → ${JSON.stringify(v)}`);
    const was = Object.fromEntries(Object.keys(a.named).map((name) => [name, old.get(`${a.ref}.${name}`) ?? null]));
    s.system(a.system).set(a.ref, a.named);
    s.emit(a.system, "change", text.join(", "), "info", user, { action: "set", ref: a.ref, values: { named: a.named, was } });
    return null;
  },
  call(s, a) {
    s.emit(a.system, "change", `call ${a.ref}(${(a.args ?? []).map((x) => JSON.stringify(x)).join(", ")})`, "info", user);
    return null;
  },
  reset(s, a) {
    const block = s.system(a.system).block(a.ref);
    delete block.fault;
    block.state = "running";
    s.emit(a.system, "change", `reset ${a.ref}`, "info", user);
    return null;
  },
  enable(s, a) {
    const block = s.system(a.system).block(a.ref);
    block.enabled = a.value;
    block.state = a.value ? "running" : "disabled";
    s.emit(a.system, "change", `enable ${a.ref} = ${a.value}`, "info", user);
    return null;
  },
  stop(s, a) {
    s.system(a.system).alive = false;
    s.emit(a.system, "gone", "stopped", "info", user);
    return null;
  },
  start(s, a) {
    s.system(a.system).restart();
    s.emit(a.system, "back", "started", "info", user);
    return null;
  },
  restart(s, a) {
    s.system(a.system).restart();
    s.emit(a.system, "back", "restarted", "info", user);
    return null;
  },
  save: () => ({ diff: "--- janus.yaml\n+++ janus.yaml\n@@ -41 +41 @@\n-  pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3, kd: 100}}\n+  pid1:       {type: servo.PID, thread: servo, params: {kp: 95, ki: 3, kd: 100}}\n" }),
  "net.get": (s, a) => netOf(s, a.system, a.file),
  "net.check": (s, a) => ({ errors: check(a.text, types(s)) }),
  "net.put"(s, a) {
    const errors = check(a.text, types(s));
    if (errors[0]) throw new Error(`${errors[0].line}:${errors[0].column}: ${errors[0].text}`);
    const old = netOf(s, a.system, a.file);
    if (a.version && a.version !== old.version) throw new ChangedOnDisk("the file");
    s.files.set(old.file, a.text);
    s.emit(a.system, "change", "net.put system file", "info", user);
    return netOf(s, a.system, a.file);
  },
  log: (s, a) => s.events.filter((e) => e.seq > (a.after ?? 0) && (!a.system || e.system === a.system)),
  "panels.list": (s, a) => [...s.panels.keys()].filter((k) => k.startsWith(a.system + "/")).map((k) => k.slice(a.system.length + 1)),
  "panels.get"(s, a) {
    const panel = s.panels.get(`${a.system}/${a.name}`);
    if (panel === undefined) throw new Error(`${a.system} has no panel ${JSON.stringify(a.name)}`);
    return { yaml: JSON.stringify(panel, null, 2), panel, version: JSON.stringify(panel) };
  },
  "panels.put"(s, a) {
    const key = `${a.system}/${a.name}`;
    const old = s.panels.get(key);
    const version = old === undefined ? "absent" : JSON.stringify(old);
    if (a.version && a.version !== version) throw new ChangedOnDisk(`the panel ${a.name}`);
    s.panels.set(key, structuredClone("panel" in a ? a.panel : (JSON.parse(a.yaml) as Value)));
    return { version: JSON.stringify(s.panels.get(key)) };
  },
  "panels.remove"(s, a) {
    s.panels.delete(`${a.system}/${a.name}`);
    return null;
  },
  "layout.get": (s, a) => ({
    layouts: filesOf(s.system(a.system)).map(({ file, name, kind, groups }) => {
      const boxes = s.layouts.get(file);
      return { file, name: `layout/${name}`, groups: kind === "group" ? groups : [], boxes: boxes ?? {}, version: boxes ? JSON.stringify(boxes) : "absent" };
    }),
  }),
  "layout.put"(s, a) {
    const old = s.layouts.get(a.file);
    const version = old === undefined ? "absent" : JSON.stringify(old);
    if (a.version && a.version !== version) throw new ChangedOnDisk("the layout");
    s.layouts.set(a.file, structuredClone(a.boxes));
    return { version: JSON.stringify(a.boxes) };
  },
  widgets: () => [],
  "history.span": (s, a) => ({ run: 1, start_ns: 0, end_ns: Math.round(s.system(a.system).now() * 1e9), wall: new Date().toISOString(), slips: [] }),
  "history.at": (s, a) => ({ values: Object.fromEntries(a.refs.map((ref) => [ref, s.system(a.system).sample(ref, a.time_ns / 1e9)])) }),
  "history.read": (s, a) => readPast(s.system(a.system), a),
  "record.list": (s, a) => logsOf(s.system(a.system)),
  "record.open": (s, a) => openLog(s.system(a.system), a.file),
  "record.read": (s, a) => readLog(s.system(a.system), a),
  robot: (s, a) => ({ robots: robotOf(s.system(a.system)), notes: [] }),
  poses: () => ({ poses: [] }),
  "poses.discard": () => null,
  fk: (_, a) => ({ frames: transforms(a.q) }),
  ik: (_, a) => solve(a),
  preview(_, a) {
    if (a.goals.flat().some((q) => Math.abs(q) > 3)) throw new Error("goal 1: a joint would be beyond its limits");
    return preview(a.goals, a.times);
  },
};

function netOf(s: MockServer, system: string, file?: string): NetText {
  const all = filesOf(s.system(system));
  const found = all.find((f) => f.file === (file ?? all[0]?.file));
  if (!found) throw new Error(`${file ?? ""} is not a file of ${system}`);
  const text = s.files.get(found.file) ?? found.text;
  return { file: found.file, text, version: String(text.length), files: all.map(({ text: _, ...f }) => f) };
}

/** Returns the types of all blocks, each once. */
function types(s: MockServer): BlockType[] {
  const all = new Map<string, BlockType>();
  for (const b of s.systems.flatMap((x) => x.structure.blocks)) {
    if (!all.has(b.type)) all.set(b.type, { type: b.type, doc: "", ports: (b.ports ?? []).map(({ from: _, ...p }) => p), params: b.params, operations: b.operations });
  }
  return [...all.values()].sort((a, b) => a.type.localeCompare(b.type));
}
