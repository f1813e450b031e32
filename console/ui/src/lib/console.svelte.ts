// What every page knows: the line to the server, who we are, which systems there are and which one is shown. Made once in main.ts; pages get it with useConsole().
import { createContext } from "svelte";
import { Events } from "./events.svelte";
import type { Link, LinkState } from "./link";
import { Live } from "./live.svelte";
import { Params } from "./params.svelte";
import { Route } from "./route.svelte";
import { Running } from "./running.svelte";
import { Theme } from "./theme.svelte";
import type { Role, Session, SystemInfo } from "./wire";

const roles: Role[] = ["view", "tune", "drive"];
const systemsEvery = 5_000; // ms; events tell sooner

export class Console {
  readonly route = new Route();
  readonly theme = new Theme();
  readonly events: Events;
  /** Structure and statistics of the shown system. */
  readonly running: Running;
  /** Newest values of ports of the shown system. */
  readonly live: Live;
  /** Values of parameters of the shown system. */
  readonly params: Params;

  connection = $state<LinkState>("connecting");
  session = $state.raw<Session | null>(null);
  systems = $state.raw<SystemInfo[]>([]);
  /** Name of the shown system; "" while there is none. */
  system = $state("");
  /** What went wrong or well with the last thing the user did; shown for some seconds. */
  notice = $state.raw<{ text: string; bad: boolean } | null>(null);
  /** The dialog that saves tuned values is open. */
  saving = $state(false);
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly kept = new Map<unknown, unknown>();

  constructor(readonly link: Link) {
    this.events = new Events(link);
    this.running = new Running(link, () => this.live.again());
    this.live = new Live(link, (ref) => this.running.ports.has(ref));
    this.params = new Params(link);
    link.onState((s) => this.connectionIs(s));
    link.onEvent((e) => {
      if (e.kind === "gone" || e.kind === "back") void this.refresh();
    });
    setInterval(() => void this.refresh(), systemsEvery);
    this.connectionIs(link.state);
  }

  /** What goes on while other pages are shown: one of each class, made when it is first asked for. Its effects never end. */
  keep<T>(what: new (app: Console) => T): T {
    if (!this.kept.has(what)) $effect.root(() => void this.kept.set(what, new what(this)));
    return this.kept.get(what) as T;
  }

  /** Whether the user's role allows what needs the given one. */
  can(role: Role): boolean {
    return this.session !== null && roles.indexOf(this.session.role) >= roles.indexOf(role);
  }

  /** Why the user may not do what needs a role, as hints say it; "" where he may. */
  lacks(role: Role): string {
    return this.can(role) ? "" : `Needs the role ${role}; yours is ${this.session?.role ?? "not known"}`;
  }

  /** Shows another system. */
  choose(system: string): void {
    if (system === this.system) return;
    this.system = system;
    this.live.choose(system);
    this.params.choose(system);
    void this.running.choose(system);
  }

  /** Does what the user asked for; a failure is shown, and gives undefined. */
  async attempt<T>(what: () => Promise<T>, done?: string): Promise<T | undefined> {
    try {
      const result = await what();
      if (done !== undefined) this.say(done);
      return result;
    } catch (e) {
      this.say(e instanceof Error ? e.message : String(e), true);
      return undefined;
    }
  }

  say(text: string, bad = false): void {
    this.notice = { text, bad };
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => (this.notice = null), bad ? 12_000 : 4_000);
  }

  private connectionIs(state: LinkState): void {
    this.connection = state;
    this.session = this.link.session;
    if (state === "connected") void this.refresh().then(() => this.running.load());
  }

  private async refresh(): Promise<void> {
    if (this.connection !== "connected") return;
    try {
      this.systems = await this.link.request("systems", {});
    } catch {
      return; // the connection tells
    }
    const wanted = this.system || this.route.query.get("system");
    if (this.systems.some((s) => s.name === wanted)) this.choose(wanted ?? "");
    else if (this.system === "") this.choose(this.systems[0]?.name ?? "");
  }
}

export const [useConsole, provideConsole] = createContext<Console>();
