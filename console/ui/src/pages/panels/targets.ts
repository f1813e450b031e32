// The ports, parameters and operations that widgets can be bound to.

import type { Structure } from "../../lib/wire";
import type { Role } from "./kinds";
import { splitRef, type Binding } from "./panel";

export interface Target extends Binding {
  unit: string;
  doc: string;
}

/** Returns everything a role can be bound to. */
export function targetsFor(structure: Structure | null, role: Role): Target[] {
  const list: Target[] = [];
  for (const block of structure?.blocks ?? []) {
    const add = (kind: Binding["kind"], name: string, unit = "", doc = ""): void => void list.push({ kind, ref: `${block.name}.${name}`, unit, doc });
    if (role.kinds.includes("param")) for (const p of block.params ?? []) if (!(role.writes && p.fixed)) add("param", p.name, p.unit, p.doc);
    if (role.kinds.includes("operation")) for (const o of block.operations ?? []) add("operation", o.name, (o.args ?? []).map((a) => a.name).join(", "), o.doc);
    if (role.kinds.includes("port")) for (const p of block.ports ?? []) if (!role.writes || ["in", "input", "handler"].includes(p.kind)) add("port", p.name, p.unit, p.doc);
  }
  return list;
}

/** Returns the binding for a typed name: the matching target, otherwise the role's first kind. */
export function bindingOf(text: string, targets: readonly Target[], role: Role): Binding | null {
  const ref = text.trim();
  if (ref === "") return null;
  const found = targets.find((t) => t.ref === splitRef(ref).port);
  return { kind: found?.kind ?? role.kinds[0] ?? "port", ref };
}
