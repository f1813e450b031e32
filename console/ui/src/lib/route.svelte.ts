// Which page is shown, as the address says: #/net/arm?select=pid1 is the page "net" with path ["arm"] and select = pid1.

export const pages = [
  { name: "net", title: "Net", hint: "blocks and links, live" },
  { name: "tree", title: "Tree", hint: "everything of the system, searchable" },
  { name: "scope", title: "Scope", hint: "signals over time" },
  { name: "robot", title: "Robot", hint: "3-D view" },
  { name: "panels", title: "Panels", hint: "widgets of your own" },
  { name: "system", title: "System", hint: "threads, links, log" },
] as const;

export type PageName = (typeof pages)[number]["name"];

/** The address of the page as state. Everything that a reload shall keep lies in it. */
export class Route {
  page = $state<PageName>("net");
  path = $state<string[]>([]);
  query = $state.raw(new URLSearchParams());

  constructor() {
    addEventListener("hashchange", () => this.read());
    this.read();
  }

  /** Goes to a page; with replace, without a new entry in the browser's history. */
  go(page: PageName, path: string[] = [], query: Record<string, string> = {}, replace = false): void {
    const q = new URLSearchParams(query).toString();
    const hash = "#/" + [page, ...path.map(encodeURIComponent)].join("/") + (q ? "?" + q : "");
    if (hash === location.hash) return;
    if (replace) {
      history.replaceState(null, "", hash);
      this.read();
    } else location.hash = hash;
  }

  private read(): void {
    const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
    const [name, ...rest] = path.split("/");
    this.page = pages.find((p) => p.name === name)?.name ?? "net";
    this.path = rest.map(decode);
    this.query = new URLSearchParams(query);
  }
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s; // a hand-written address
  }
}
