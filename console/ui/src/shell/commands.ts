// What the palette offers, and how it is searched.
import type { Console } from "../lib/console.svelte";
import { pages } from "../lib/route.svelte";

export interface Command {
  id: string;
  kind: string;
  title: string;
  hint: string;
  run: () => void;
}

/** Everything that can be reached by name, pages first. */
export function commands(app: Console): Command[] {
  const list: Command[] = pages.map((p, i) => ({
    id: "page " + p.name,
    kind: "page",
    title: p.title,
    hint: `${p.hint} · key ${i + 1}`,
    run: () => app.route.go(p.name),
  }));
  list.push({ id: "theme", kind: "view", title: "Light or dark", hint: "switch the colours", run: () => app.theme.toggle() });
  if (app.can("tune")) {
    list.push({ id: "save", kind: "do", title: "Save tuned values…", hint: "into the system file, after a look at what changes", run: () => (app.saving = true) });
    list.push({ id: "edit", kind: "do", title: "Edit the net", hint: "blocks, links and parameters of the system file", run: () => app.route.go("net", [], { edit: "1" }) });
  }
  for (const s of app.systems) {
    if (s.name !== app.system) list.push({ id: "system " + s.name, kind: "system", title: s.name, hint: "show this system", run: () => app.choose(s.name) });
  }
  for (const b of app.running.structure?.blocks ?? []) {
    const tree = (ref: string): (() => void) => () => app.route.go("tree", [ref]);
    list.push({ id: "block " + b.name, kind: "block", title: b.name, hint: b.type, run: () => app.route.go("net", [b.name]) });
    for (const p of b.params ?? []) list.push({ id: `param ${b.name}.${p.name}`, kind: "parameter", title: `${b.name}.${p.name}`, hint: p.doc ?? "", run: tree(`${b.name}.${p.name}`) });
    for (const p of b.ports ?? []) list.push({ id: `port ${b.name}.${p.name}`, kind: p.kind, title: `${b.name}.${p.name}`, hint: p.doc ?? "", run: tree(`${b.name}.${p.name}`) });
    for (const o of b.operations ?? []) list.push({ id: `op ${b.name}.${o.name}`, kind: "operation", title: `${b.name}.${o.name}`, hint: o.doc ?? "", run: tree(`${b.name}.${o.name}`) });
  }
  return list;
}

const small = ["parameter", "operation"]; // after blocks and what the console itself does; ports come last

/** The best matches of a query: each of its words occurs, those at the beginning of a name count most. */
export function find(all: Command[], query: string, most: number): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter((w) => w !== "");
  if (words.length === 0) return all.slice(0, most);
  const scored: [score: number, c: Command][] = [];
  for (const c of all) {
    const score = rank(c, words);
    const late = small.includes(c.kind) ? 0.3 : c.id.startsWith("port ") ? 0.6 : 0;
    if (score > 0) scored.push([score - late - c.title.length / 1000, c]);
  }
  scored.sort((a, b) => b[0] - a[0]);
  return scored.slice(0, most).map(([, c]) => c);
}

function rank(c: Command, words: string[]): number {
  const title = c.title.toLowerCase();
  let score = 0;
  for (const w of words) {
    const at = title.indexOf(w);
    if (title === w) score += 8;
    else if (at === 0) score += 5;
    else if (at > 0 && /[._\s]/.test(title[at - 1] ?? "")) score += 4;
    else if (at > 0) score += 3;
    else if (c.kind.startsWith(w)) score += 1;
    else if (c.hint.toLowerCase().includes(w)) score += 1;
    else return 0;
  }
  return score;
}
