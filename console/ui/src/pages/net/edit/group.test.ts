import { describe, expect, test } from "vitest";
import janus from "../../../../../../examples/janus/janus.yaml?raw";
import { flat } from "./flat";
import { copy, paste } from "./fragment";
import { group, ungroup } from "./group";
import { move } from "./move";
import { blocksOf, read, type NetFile } from "./netfile";
import { addLink, remove, removeLinks, rename } from "./patch";

/** The net of a file in sorted order, with block names mapped by `named`. */
function net(f: NetFile, named: (name: string) => string = (n) => n): string[] {
  const ref = (r: string): string => r.replace(/^(.*)(\.[^.]+)$/, (_, b: string, port: string) => named(b) + port);
  const { blocks, links } = flat(f);
  return [
    ...blocks.map((b) => `${named(b.name)}: ${b.type} ${b.thread} ${JSON.stringify(b.params)}`),
    ...links.map((l) => `${ref(l.from)} -> ${ref(l.to)} ${l.link.delay} ${l.link.every}`),
  ].sort();
}

/** Returns a pseudorandom generator. */
function random(seed: number): (below: number) => number {
  let x = seed * 2654435761 + 1;
  return (below) => {
    x = (Math.imul(x ^ (x >>> 15), 2246822519) + 3266489917) | 0;
    return (x >>> 0) % below;
  };
}

/** Generates a file with nested groups, comments and all kinds of links. */
function randomFile(seed: number): string {
  const pick = random(seed);
  const out: string[] = ["system: any", "", "threads:", "  t: {period: 1ms}", ""];
  const scope = (indent: string, depth: number): string[] => {
    const blocks = Array.from({ length: 2 + pick(4) }, (_, i) => `b${i}`);
    const groups = depth < 2 ? Array.from({ length: pick(3) }, (_, i) => `g${i}`) : [];
    const ports: string[] = [];
    out.push(`${indent}blocks:`);
    for (const b of blocks) {
      if (pick(4) === 0 && b !== "b0") out.push("");
      if (pick(3) === 0) out.push(`${indent}  # of ${b} and more`);
      out.push(pick(3) === 0 ? `${indent}  ${b}:\n${indent}    type: t.T # why\n${indent}    params:\n${indent}      x: ${pick(9)}` : `${indent}  ${b}:   {type: t.T, params: {x: ${pick(9)}}}`);
    }
    const ends = blocks.map((b) => `${b}.p`);
    if (groups.length > 0) out.push(`${indent}groups:`);
    for (const g of groups) {
      out.push(`${indent}  ${g}:`);
      for (const p of scope(indent + "    ", depth + 1)) ends.push(`${g}.${p}`);
    }
    out.push(`${indent}links:`);
    for (let i = 0; i < 3 + pick(5); i++) {
      const link = `${ends[pick(ends.length)] ?? ""}${pick(4) === 0 ? "[0:3]" : ""} -> ${ends[pick(ends.length)] ?? ""}`;
      if (pick(5) === 0) out.push(`${indent}  # because`);
      out.push(pick(4) === 0 ? `${indent}  - {link: "${link}", delay: true, every: ${1 + pick(3)}}` : `${indent}  - ${link}${pick(4) === 0 ? " # fast" : ""}`);
    }
    if (depth > 0) {
      out.push(`${indent}ports:`);
      for (const e of ends.filter((_, i) => i < 1 + pick(3))) {
        out.push(`${indent}  p${ports.length}: ${e}`);
        ports.push(`p${ports.length}`);
      }
    }
    if (depth === 0) out.push("");
    return ports;
  };
  scope("", 0);
  return out.join("\n");
}

const comments = (text: string): string[] => (text.match(/#.*/g) ?? []).sort();

describe.each(Array.from({ length: 16 }, (_, i) => i))("random file, seed %i", (seed) => {
  const pick = random(seed + 1000);
  const f = read(randomFile(seed));
  const s = f.scopes[pick(f.scopes.length)] ?? f;
  const names = [...s.blocks, ...s.groups].map((x) => x.name).filter((_, i) => i === 0 || pick(2) === 0);
  const grouped = group(f, names, "new");
  const now = read(grouped.text);
  const path = s.path === "" ? "new" : `${s.path}.new`;

  test("grouping changes only names and keeps comments", () => {
    expect(f.problem ?? now.problem).toBeUndefined();
    const old = (n: string): string => (n.startsWith(path + ".") ? (s.path === "" ? "" : s.path + ".") + n.slice(path.length + 1) : n);
    expect(net(now, old)).toEqual(net(f));
    expect(blocksOf(now).filter((b) => b.name.startsWith(path + ".")).length).toBeGreaterThan(0);
    expect(comments(grouped.text)).toEqual(comments(f.text));
    expect(grouped.text).not.toMatch(/\n\n\n|[ \t]\n/);
  });

  test("moving blocks to another group keeps their links", () => {
    const to = f.scopes[pick(f.scopes.length)]?.path ?? "";
    const { text, names: moved } = move(f, names, to);
    const done = read(text);
    const old = (n: string): string => {
      const i = moved.findIndex((m) => n === m || n.startsWith(m + "."));
      return i < 0 ? n : (names[i] ?? "") + n.slice(moved[i]?.length);
    };
    expect(done.problem).toBeUndefined();
    expect(net(done, old)).toEqual(net(f));
    expect(comments(text)).toEqual(comments(f.text));
  });

  test("ungrouping restores the net", () => {
    const back = ungroup(now, path).text;
    expect(net(read(back))).toEqual(net(f));
    expect(comments(back)).toEqual(comments(f.text));
  });

  test("ungrouping all groups keeps all links and comments", () => {
    let at = f;
    for (let g = at.groups[0]; g; g = at.groups[0]) {
      const next = read(ungroup(at, g.name).text);
      expect(flat(next).links.length).toBe(flat(f).links.length);
      expect(blocksOf(next).length).toBe(blocksOf(f).length);
      expect(comments(next.text)).toEqual(comments(f.text));
      at = next;
    }
    expect(at.scopes.length).toBe(1);
  });

  test("removing blocks removes only them and their links", () => {
    const gone = read(remove(f, names));
    const goes = (r: string): boolean => names.some((n) => r.startsWith(n + "."));
    expect(gone.problem).toBeUndefined();
    const cutOff = new Set(flat(f).links.filter((l) => goes(l.from) || goes(l.to)).map((l) => l.link));
    expect(net(gone)).toEqual(net({ ...f, scopes: f.scopes.map((x) => ({ ...x, blocks: x.blocks.filter((b) => !goes(b.name + ".")), links: x.links.filter((l) => !cutOff.has(l)) })) }));
  });

  test("adding a link and removing it restores the file", () => {
    const all = blocksOf(f);
    const [a, b] = [all[pick(all.length)]?.name ?? "", all[pick(all.length)]?.name ?? ""];
    const linked = read(addLink(f, `${a}.new_out`, `${b}.new_in[1]`));
    expect(net(linked)).toEqual([...net(f), `${a}.new_out -> ${b}.new_in[1] false 1`].sort());
    const link = flat(linked).links.find((l) => l.from === `${a}.new_out`)?.link;
    expect(removeLinks(linked, link ? [link] : [])).toBe(f.text);
  });

  test("pasted copies have unused names and leave the rest unchanged", () => {
    const { text, names: copies } = paste(f, s.path, copy(f, names));
    const after = read(text);
    expect(after.problem).toBeUndefined();
    expect(copies.length).toBe(names.length);
    expect(net(read(remove(after, copies)))).toEqual(net(f));
  });
});

describe("Janus", () => {
  const f = read(janus);
  const { text, notes } = group(f, ["pid1", "pid2", "controller"], "control");

  test("groups the controller with its gains", () => {
    expect(text).toContain(`
groups:
  control:
    blocks:
      controller: {type: servo.ControllerNPID, thread: servo, params: {n: 2}}
      # Gains found on the simulated robot: kp is an eighth of the gain at which joint 1 begins to chatter (640 V/rad), ki an
      # eighth of the gain at which it oscillates about its target (24 at this kp), kd the least that damps the rest. Joint 2
      # moves less mass: about three quarters of it.
      pid1:       {type: servo.PID, thread: servo, params: {kp: 80, ki: 3, kd: 100}}
      pid2:       {type: servo.PID, thread: servo, params: {kp: 60, ki: 2.4, kd: 60}}
    links:
      - controller.ref1 -> pid1.ref
      - controller.sen1 -> pid1.sen
      - pid1.out -> controller.out1
      - controller.ref2 -> pid2.ref
      - controller.sen2 -> pid2.sen
      - pid2.out -> controller.out2
    ports:
      sample: controller.sample
      sensor: controller.sensor
      act: controller.act
      reference: controller.reference
      error1: controller.error1
      error2: controller.error2

links:
`);
    expect(text).toContain("  - bridge_ref.reference -> control.reference\n  - control.error1 -> scope.error1\n");
  });
  test("updates recorded patterns", () => {
    expect(notes).toContain("record: pid*.out → control.pid*.out");
    expect(read(ungroup(read(text), "control").text).text).toContain(janus.slice(janus.indexOf("record:")));
  });
  test("updates watched signals", () => {
    const watching = read(janus.replace("\nrecord:", '\nwatch: ["pid1.out", "joint1.torque[0:2]"]\n\nrecord:'));
    const grouped = group(watching, ["pid1", "pid2"], "control");
    expect(grouped.text).toContain('watch: ["control.pid1.out", "joint1.torque[0:2]"]');
    expect(grouped.notes).toContain("watch: pid1.out → control.pid1.out");
  });
  test("updates parameters that name a block", () => {
    const t = group(f, ["aic01", "joint1"], "arm");
    expect(t.notes).toEqual(["arm.joint1.peer_name: aic01 → arm.aic01", "record: joint*.position → joint*.position, arm.joint*.position", "record: joint*.velocity → joint*.velocity, arm.joint*.velocity", "record: joint*.voltage_actuator → joint*.voltage_actuator, arm.joint*.voltage_actuator"]);
    expect(read(t.text).scopes[1]?.blocks[1]?.params["peer_name"]).toBe("arm.aic01");
    expect(rename(f, "aic01", "card").text).toContain("peer_name: card");
  });
  test("duplicates a joint with its card", () => {
    const { text: doubled, names } = paste(f, "", copy(f, ["aic01", "joint1", "pid1"]));
    expect(names).toEqual(["aic2", "joint3", "pid3"]);
    expect(read(doubled).blocks.find((b) => b.name === "joint3")?.params["peer_name"]).toBe("aic2");
    expect(doubled).toContain("  - aic2.displacement -> joint3.displacement_sensor\n");
  });
});

test("a group that gives its blocks a thread, or that a link enables, is not dissolved", () => {
  const file = (key: string, links: string): NetFile => read(`system: x\nblocks: {a: {type: t.T}}\ngroups:\n  g:\n    ${key}blocks: {b: {type: t.T}}\n    ports: {q: b.q}\n${links}`);
  for (const [key, links, why] of [["thread: t\n    ", "", "have thread"], ["every: 2\n    ", "", "have every"], ["on_enable: reset\n    ", "", "have on_enable"], ["", "links:\n  - a.p -> g.enable\n", "a link enables"]] as const) {
    const f = file(key, links);
    const done = ungroup(f, "g");
    expect(done.text).toBe(f.text);
    expect(done.notes.join()).toContain(why);
  }
  expect(ungroup(file("", "links:\n  - a.p -> g.q\n"), "g").text).not.toContain("groups:");
});
