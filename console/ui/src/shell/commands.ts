// The palette's list of names and actions, and its search.
import type { App } from "../lib/app.svelte";
import { mostPanes, pages } from "../lib/route.svelte";

/** An entry of the list. It has run, fill or both: Enter runs it, or else fills it in; Tab fills it in. */
export interface Command {
  id: string;
  kind: string;
  title: string;
  hint: string;
  run?: () => void;
  /** text of the input with the entry completed */
  fill?: string;
}

/** How orders are written: title, hint, and the text to begin with. */
const orders: [title: string, hint: string, fill: string][] = [
  ["hold PORT VALUE", "Override an input or output until it is released", "hold "],
  ["release PORT", "Release a held port; “release all” releases every one", "release "],
  ["plot SIGNAL…", "Show signals in the scope", "plot "],
  ["call BLOCK.OPERATION ARGUMENTS", "Call an operation", "call "],
  ["stop", "Stop the system", "stop"],
  ["?", "Show the keys of all pages", "?"],
];

/** Returns all entries, pages first. */
export function commands(app: App): Command[] {
  const list: Command[] = pages.map((p, i) => ({
    id: "page " + p.name,
    kind: "page",
    title: p.title,
    hint: `${p.hint} · key ${i + 1}`,
    run: () => app.route.go(p.name),
  }));
  for (const [title, hint, fill] of orders) list.push({ id: "order " + title, kind: "order", title, hint, fill });
  for (const p of pages) {
    if (app.route.panes.length < mostPanes) list.push({ id: "beside " + p.name, kind: "view", title: `${p.title} beside`, hint: "Show the page beside those that are open", run: () => app.route.add(p.name) });
  }
  if (app.route.panes.length > 1 && app.can("tune")) list.push({ id: "workspace", kind: "action", title: "Save workspace…", hint: "Save the pages side by side under a name", run: () => (app.arranging = true) });
  list.push({ id: "theme", kind: "view", title: "Light or dark", hint: "Switch the theme", run: () => app.theme.toggle() });
  if (app.can("tune")) {
    list.push({ id: "save", kind: "action", title: "Save tuned values…", hint: "Review the changes and write them to the system file", run: () => (app.saving = true) });
    list.push({ id: "edit", kind: "action", title: "Edit the net", hint: "Blocks, links and parameters of the system file", run: () => app.route.go("net", [], { edit: "1" }) });
  }
  if (app.can("drive") && app.current) {
    list.push({ id: "stop", kind: "action", title: "Stop the system…", hint: "Ask, then stop the whole system · Alt-S", run: () => (app.ending = { action: "stop" }) });
  }
  for (const s of app.systems) {
    if (s.name !== app.system) list.push({ id: "system " + s.name, kind: "system", title: s.name, hint: "Show this system", run: () => app.choose(s.name) });
  }
  for (const b of app.running.structure?.blocks ?? []) {
    const tree = (ref: string): (() => void) => () => app.route.go("tree", [ref]);
    list.push({ id: "block " + b.name, kind: "block", title: b.name, hint: b.type, run: () => app.route.go("net", [b.name]) });
    for (const p of b.params ?? []) list.push({ id: `param ${b.name}.${p.name}`, kind: "parameter", title: `${b.name}.${p.name}`, hint: p.doc ?? "", run: tree(`${b.name}.${p.name}`), fill: `${b.name}.${p.name} ` });
    for (const p of b.ports ?? []) list.push({ id: `port ${b.name}.${p.name}`, kind: p.kind, title: `${b.name}.${p.name}`, hint: p.doc ?? "", run: tree(`${b.name}.${p.name}`), fill: `${p.kind === "input" ? "hold" : "plot"} ${b.name}.${p.name} ` });
    for (const o of b.operations ?? []) list.push({ id: `op ${b.name}.${o.name}`, kind: "operation", title: `${b.name}.${o.name}`, hint: o.doc ?? "", run: tree(`${b.name}.${o.name}`), fill: `call ${b.name}.${o.name} ` });
  }
  return list;
}

const small = ["parameter", "operation"]; // rank below pages, actions and blocks; ports rank last

/** Returns the best matches of a query, at most `most`. Every word must occur; matches at the start of a name rank highest. */
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
