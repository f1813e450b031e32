// The pages shown, as given by the address: #/net/arm?select=pid1 is the page "net" with path ["arm"] and select = pid1. Several pages
// side by side are separated by "|", each after its share of the room: #/60:robot|40:scope.
import { createContext } from "svelte";

export const pages = [
  { name: "cockpit", title: "Cockpit", hint: "The robot and two plots at a glance" },
  { name: "net", title: "Net", hint: "Blocks and links, live" },
  { name: "tree", title: "Tree", hint: "All blocks, ports and parameters, searchable" },
  { name: "scope", title: "Scope", hint: "Signals over time" },
  { name: "robot", title: "Robot", hint: "3-D view" },
  { name: "panels", title: "Panels", hint: "Your own widgets" },
  { name: "system", title: "System", hint: "Processes, threads, links, log" },
  { name: "tune", title: "Tune", hint: "Changes of parameters compared; step, sweep and noise responses" },
  { name: "plan", title: "Plan", hint: "Motions among obstacles" },
] as const;

export type PageName = (typeof pages)[number]["name"];

/** Pages side by side, at most. */
export const mostPanes = 4;

/** A page with what it shows. */
export interface Address {
  page: PageName;
  path: string[];
  query: URLSearchParams;
  /** room beside the other pages, in relation to theirs */
  share: number;
}

/** Reads an address such as "60:net/arm?select=pid1". Without a share it is 50; an unknown page is the cockpit. */
export function readAddress(text: string): Address {
  const [, share = "50", rest = ""] = /^(?:(\d{1,3}):)?(.*)$/s.exec(text.replace(/^\/+/, "")) ?? [];
  const [path = "", query = ""] = rest.split("?");
  const [name, ...parts] = path.split("/");
  return { page: pages.find((p) => p.name === name)?.name ?? "cockpit", path: parts.map(decode), query: new URLSearchParams(query), share: Math.max(1, Number(share)) };
}

/** Reads the part of an address from # on. */
export function addressesOf(hash: string): Address[] {
  return hash.replace(/^#/, "").split("|").slice(0, mostPanes).map(readAddress);
}

/** Writes an address, without its share. */
export function writeAddress(a: Omit<Address, "share">): string {
  const query = a.query.toString();
  return [a.page, ...a.path.map(encodeURIComponent)].join("/") + (query ? `?${query}` : "");
}

/** One of the pages shown. */
export class Pane implements Address {
  page = $state<PageName>("cockpit");
  path = $state.raw<string[]>([]);
  query = $state.raw(new URLSearchParams());
  share = $state(50);

  constructor(private readonly route: Route) {}

  /** Whether the keys of a page go to this one. */
  get active(): boolean {
    return this.route.current === this;
  }

  take(a: Address): void {
    [this.page, this.path, this.query, this.share] = [a.page, a.path, a.query, a.share];
  }

  /** Goes to a page: in the pane that shows it, else in this one. With replace, without a new entry in the browser's history. */
  go(page: PageName, path: string[] = [], query: Record<string, string> = {}, replace = false): void {
    this.route.go(page, path, query, replace, this);
  }
}

/** The window's address as state. It holds everything that must survive a reload. */
export class Route {
  panes = $state.raw<Pane[]>([]);
  private active = $state(0);
  /** The pane that the pointer or the keyboard used last. */
  readonly current = $derived(this.panes[Math.min(this.active, this.panes.length - 1)] ?? new Pane(this));
  /** The addresses of all panes with their shares, as a workspace keeps them. */
  readonly addresses = $derived(this.panes.map((p) => `${p.share}:${writeAddress(p)}`));

  constructor() {
    addEventListener("hashchange", () => this.read());
    this.read();
  }

  get page(): PageName {
    return this.current.page;
  }

  get query(): URLSearchParams {
    return this.current.query;
  }

  /** Goes to a page in the pane that shows it, from itself first, else in from. With replace, without a new entry in the browser's history. */
  go(page: PageName, path: string[] = [], query: Record<string, string> = {}, replace = false, from = this.current): void {
    const pane = [from, ...this.panes].find((p) => p.page === page) ?? from;
    if (pane !== from) this.activate(pane);
    this.set(this.panes.map((p) => (p === pane ? { page, path, query: new URLSearchParams(query), share: p.share } : p)), replace);
  }

  /** Shows another page in a pane, also if a second pane shows it. */
  replace(pane: Pane, page: string): void {
    this.set(this.panes.map((p) => (p === pane ? { ...readAddress(page), share: p.share } : p)));
  }

  activate(pane: Pane): void {
    this.active = Math.max(0, this.panes.indexOf(pane));
  }

  /** Shows a page beside the others, and makes it the active one. */
  add(page: PageName): void {
    if (this.panes.length >= mostPanes) return;
    const share = Math.round(this.panes.reduce((sum, p) => sum + p.share, 0) / this.panes.length);
    this.active = this.panes.length;
    this.set([...this.panes, readAddress(`${share}:${page}`)]);
  }

  close(pane: Pane): void {
    if (this.panes.length < 2) return;
    this.panes = this.panes.filter((p) => p !== pane);
    this.active = 0;
    this.set(this.panes);
  }

  /** Gives two neighbours other shares. */
  resize(a: Pane, b: Pane, shareOfA: number): void {
    const both = a.share + b.share;
    const share = Math.round(Math.max(0.15 * both, Math.min(0.85 * both, shareOfA)));
    this.set(this.panes.map((p) => ({ page: p.page, path: p.path, query: p.query, share: p === a ? share : p === b ? both - share : p.share })), true);
  }

  /** Shows the pages of a workspace. */
  open(addresses: string[]): void {
    this.active = 0;
    this.set(addresses.slice(0, mostPanes).map(readAddress));
  }

  private set(all: Address[], replace = false): void {
    const hash = "#/" + all.map((a) => (all.length > 1 ? `${a.share}:` : "") + writeAddress(a)).join("|");
    if (hash === location.hash) return;
    if (replace) {
      history.replaceState(null, "", hash);
      this.read();
    } else location.hash = hash;
  }

  private read(): void {
    const all = addressesOf(location.hash);
    if (all.length !== this.panes.length) this.panes = all.map((_, i) => this.panes[i] ?? new Pane(this));
    all.forEach((a, i) => this.panes[i]?.take(a));
  }
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s; // malformed address
  }
}

/** The pane around a component. */
export const [useRoute, provideRoute] = createContext<Pane>();
