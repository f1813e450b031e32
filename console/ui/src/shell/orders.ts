// The orders that the palette carries out, as text: "pid1.kp 90", "hold PORT VALUE", "release PORT", "plot SIGNAL…", "call BLOCK.OP ARGS",
// "stop" and "?". Any other text is a search.
import { parse } from "../lib/value";
import { messageOf } from "../lib/errors";
import type { Operation, Param, Port, Role, Structure, Value } from "../lib/wire";

export type Order =
  | { verb: "set"; block: string; param: string; value: Value }
  | { verb: "hold"; ref: string; value: Value }
  | { verb: "release"; refs: string[] }
  | { verb: "plot"; signals: string[] }
  | { verb: "call"; ref: string; args: Value[] }
  | { verb: "stop" }
  | { verb: "keys" };

/** A text that is an order, or the beginning of one. */
export interface Reading {
  verb: Order["verb"];
  /** the role that the order needs */
  role: Role;
  /** how the order is written, or what it will do */
  usage: string;
  /** null while the text is incomplete or wrong */
  order: Order | null;
  /** what is wrong or missing; "" for a complete order */
  problem: string;
  /** whether the problem is only that the text ends too early */
  incomplete: boolean;
}

/** Everything that orders can name. */
export interface Names {
  system: string;
  blocks: ReadonlySet<string>;
  params: ReadonlyMap<string, Param>;
  ports: ReadonlyMap<string, Port>;
  operations: ReadonlyMap<string, Operation>;
}

/** Returns the names of a running system: of its blocks, and of its groups with their ports. */
export function namesOf(system: string, structure: Structure | null): Names {
  const names = { system, blocks: new Set<string>(), params: new Map<string, Param>(), ports: new Map<string, Port>(), operations: new Map<string, Operation>() };
  for (const b of structure?.blocks ?? []) {
    names.blocks.add(b.name);
    for (const p of b.params ?? []) names.params.set(`${b.name}.${p.name}`, p);
    for (const p of b.ports ?? []) names.ports.set(`${b.name}.${p.name}`, p);
    for (const o of b.operations ?? []) names.operations.set(`${b.name}.${o.name}`, o);
  }
  for (const g of structure?.groups ?? []) for (const p of g.ports ?? []) names.ports.set(`${g.name}.${p.name}`, p);
  return names;
}

const usages = {
  hold: "hold PORT VALUE",
  release: "release PORT, or release all",
  plot: "plot SIGNAL SIGNAL…",
  call: "call BLOCK.OPERATION ARGUMENTS",
} as const;

/** Reads a text; null if it is a search. */
export function readOrder(text: string, names: Names): Reading | null {
  const words = split(text);
  const [first, ...rest] = words;
  if (first === undefined) return null;
  const ended = /\s$/.test(text);
  if (rest.length === 0 && first === "?") return complete("keys", "view", "Show the keys of all pages", { verb: "keys" });
  if (rest.length === 0 && first === "stop") return complete("stop", "drive", `Stop ${names.system}: all its threads and processes`, { verb: "stop" });
  if (first === "hold" || first === "release" || first === "plot" || first === "call") {
    if (rest.length === 0 && !ended) return null; // may be the beginning of a name
    const reader = { hold: readHold, release: readRelease, plot: readPlot, call: readCall }[first];
    return reader(rest, names);
  }
  return readSet(text, names);
}

/** Returns the words of a text. A word in brackets, braces or quotes may contain spaces. */
export function split(text: string): string[] {
  const words: string[] = [];
  let [word, depth, quote, inside] = ["", 0, "", false];
  for (const c of text) {
    if (quote !== "") quote = c === quote ? "" : quote;
    else if (c === '"' || c === "'") quote = c;
    else if ("[{".includes(c)) depth++;
    else if ("]}".includes(c)) depth--;
    if (/\s/.test(c) && depth <= 0 && quote === "") {
      if (inside) words.push(word);
      [word, inside] = ["", false];
    } else [word, inside] = [word + c, true];
  }
  if (inside) words.push(word);
  return words;
}

function complete(verb: Order["verb"], role: Role, usage: string, order: Order): Reading {
  return { verb, role, usage, order, problem: "", incomplete: false };
}

function wrong(verb: Order["verb"], role: Role, usage: string, problem: string, incomplete = false): Reading {
  return { verb, role, usage, order: null, problem, incomplete };
}

/** Reads "block.param value" or "block.param = value". */
function readSet(text: string, names: Names): Reading | null {
  const found = /^\s*([^\s=]+)(?:\s*=\s*|\s+)(.*)$/s.exec(text);
  const [ref, value] = [found?.[1] ?? "", (found?.[2] ?? "").trim()];
  const dot = ref.lastIndexOf(".");
  if (dot < 1) return null;
  const [block, name] = [ref.slice(0, dot), ref.slice(dot + 1)];
  const param = names.params.get(ref);
  if (param === undefined) {
    if (!names.blocks.has(block) || value === "") return null;
    if (names.ports.has(ref)) return wrong("set", "tune", "", `${ref} is a port: “hold ${ref} ${value}” overrides it`);
    if (names.operations.has(ref)) return wrong("set", "tune", "", `${ref} is an operation: “call ${ref} ${value}” calls it`);
    const params = [...names.params.keys()].filter((k) => k.slice(0, k.lastIndexOf(".")) === block).map((k) => k.slice(k.lastIndexOf(".") + 1));
    return wrong("set", "tune", "", `${block} has no parameter ${name}${params.length > 0 ? `; it has ${params.join(", ")}` : ""}`);
  }
  const bounds = [param.min !== undefined ? `at least ${param.min}` : "", param.max !== undefined ? `at most ${param.max}` : ""].filter((s) => s !== "").join(", ");
  const usage = [`${ref} VALUE`, param.type + (param.unit ? ` in ${param.unit}` : ""), bounds, param.doc ?? ""].filter((s) => s !== "").join(" · ");
  if (param.fixed) return wrong("set", "tune", usage, `${ref} is fixed: it is read only at start`);
  if (value === "") return wrong("set", "tune", usage, `${ref}: enter a value`, true);
  try {
    const v = parse(value, param.type);
    const outside = typeof v === "number" && ((param.min !== undefined && v < param.min) || (param.max !== undefined && v > param.max));
    if (outside) return wrong("set", "tune", usage, `${ref} = ${value}: must be ${bounds}`);
    return complete("set", "tune", `Set ${ref} to ${value}${param.unit ? " " + param.unit : ""}`, { verb: "set", block, param: name, value: v });
  } catch (e) {
    return wrong("set", "tune", usage, `${ref}: ${messageOf(e)}`);
  }
}

function readHold([ref, ...rest]: string[], names: Names): Reading {
  const fail = (problem: string, incomplete = false): Reading => wrong("hold", "drive", usages.hold, problem, incomplete);
  if (ref === undefined) return fail("name an input or output", true);
  const port = names.ports.get(ref);
  if (port === undefined) return fail(names.params.has(ref) ? `${ref} is a parameter: “${ref} VALUE” sets it` : noSuch("port", ref), rest.length === 0);
  if (port.kind !== "input" && port.kind !== "output") return fail(`${ref} is an ${port.kind}: only inputs and outputs hold values`);
  if (rest.length === 0) return fail(`${ref}: enter a value (${port.type}${port.unit ? " in " + port.unit : ""})`, true);
  try {
    return complete("hold", "drive", `Hold ${ref} at ${rest.join(" ")}${port.unit ? " " + port.unit : ""} until it is released`, { verb: "hold", ref, value: parse(rest.join(" "), port.type) });
  } catch (e) {
    return fail(`${ref}: ${messageOf(e)}`);
  }
}

function readRelease(refs: string[], names: Names): Reading {
  const fail = (problem: string, incomplete = false): Reading => wrong("release", "drive", usages.release, problem, incomplete);
  const held = heldPorts(names);
  if (held.length === 0) return fail("no port is held");
  if (refs.length === 0) return fail(`held: ${held.join(", ")}`, true);
  if (refs.length === 1 && refs[0] === "all") return complete("release", "drive", `Release ${held.join(", ")}`, { verb: "release", refs: held });
  const free = refs.find((r) => names.ports.get(r)?.by_hand !== true);
  if (free !== undefined) return fail(names.ports.has(free) ? `${free} is not held` : noSuch("port", free), refs.at(-1) === free);
  return complete("release", "drive", `Release ${refs.join(", ")}`, { verb: "release", refs });
}

/** Returns the ports that hold values given by hand. Ports of groups count as those of their blocks. */
export function heldPorts(names: Names): string[] {
  return [...names.ports].filter(([ref, p]) => p.by_hand === true && names.blocks.has(ref.slice(0, ref.lastIndexOf(".")))).map(([ref]) => ref);
}

function readPlot(signals: string[], names: Names): Reading {
  const fail = (problem: string, incomplete = false): Reading => wrong("plot", "view", usages.plot, problem, incomplete);
  if (signals.length === 0) return fail("name a signal, such as a port", true);
  const unknown = signals.find((s) => !names.ports.has(s) && !names.ports.has(s.replace(/[[.][^[]*$/, "")) && !names.ports.has(s.replace(/\[.*$/, "")));
  if (unknown !== undefined) return fail(noSuch("port", unknown), signals.at(-1) === unknown);
  return complete("plot", "view", `Show ${signals.join(", ")} in the scope`, { verb: "plot", signals });
}

function readCall([ref, ...words]: string[], names: Names): Reading {
  const fail = (problem: string, incomplete = false, usage: string = usages.call): Reading => wrong("call", "drive", usage, problem, incomplete);
  if (ref === undefined) return fail("name an operation", true);
  const operation = names.operations.get(ref);
  if (operation === undefined) return fail(noSuch("operation", ref), words.length === 0);
  const args = operation.args ?? [];
  const usage = [`call ${[ref, ...args.map((a) => a.name)].join(" ")}`, ...args.map((a) => `${a.name}: ${a.type}${a.unit ? " in " + a.unit : ""}`), operation.doc ?? ""].filter((s) => s !== "").join(" · ");
  if (words.length > args.length) return fail(`${ref} takes ${args.length} argument${args.length === 1 ? "" : "s"}, not ${words.length}`, false, usage);
  const values: Value[] = [];
  for (const [i, word] of words.entries()) {
    const a = args[i];
    if (a === undefined) break;
    try {
      values.push(parse(word, a.type));
    } catch (e) {
      return fail(`${a.name}: ${messageOf(e)}`, i === words.length - 1 && /^[[{"']/.test(word), usage);
    }
  }
  const missing = args.slice(words.length);
  if (missing.length > 0) return fail(`${ref}: enter ${missing.map((a) => `${a.name} (${a.type}${a.unit ? " in " + a.unit : ""})`).join(", ")}`, true, usage);
  return complete("call", "drive", `Call ${ref}(${words.join(", ")})`, { verb: "call", ref, args: values });
}

function noSuch(kind: string, name: string): string {
  return `there is no ${kind} “${name}”`;
}
