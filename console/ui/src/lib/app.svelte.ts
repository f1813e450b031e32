// The state that all pages share: client, session, systems and the system shown. main.ts creates one App; components get it with useApp().
import { createContext } from "svelte";
import { Conditions } from "./conditions.svelte";
import { Events } from "./events.svelte";
import type { Client, ConnectionState } from "./client";
import { Live } from "./live.svelte";
import { Params } from "./params.svelte";
import { Route } from "./route.svelte";
import { Running } from "./running.svelte";
import { Theme } from "./theme.svelte";
import { LiveHistory, Timeline } from "./timeline.svelte";
import { messageOf } from "./errors";
import type { LogPart } from "./records";
import type { Role, Session, SystemInfo } from "./wire";

const roles: Role[] = ["view", "tune", "drive", "own"];
const systemsEvery = 5_000; // ms; events trigger an earlier refresh

/** A question before the system stops or restarts. */
export interface Ending {
  action: "stop" | "restart";
  /** runs before a restart, such as saving a file; false cancels the restart */
  first?: () => Promise<boolean>;
  /** the notice after success */
  done?: string;
}

export class App {
  readonly route = new Route();
  readonly theme = new Theme();
  /** The time that all pages show. */
  readonly timeline = new Timeline();
  readonly events: Events;
  /** Structure and statistics of the selected system. */
  readonly running: Running;
  /** Ports and blocks of the selected system that are held, disabled, in error or not finite, and its slips. */
  readonly conditions: Conditions;
  /** Port values of the selected system: the newest, or those at the time of the timeline. */
  readonly live: Live;
  /** Parameter values of the selected system. */
  readonly params: Params;

  connection = $state<ConnectionState>("connecting");
  session = $state.raw<Session | null>(null);
  systems = $state.raw<SystemInfo[]>([]);
  /** Name of the selected system; "" if none is selected. */
  system = $state("");
  /** Outcome of the user's last action; shown for 4 s, an error for 12 s. */
  notice = $state.raw<{ text: string; bad: boolean } | null>(null);
  /** Whether the dialog that saves tuned values is open. */
  saving = $state(false);
  /** The span that the open dialog makes a page of, the last minutes or a part of a log; null if no dialog is open. */
  sharing = $state.raw<"minutes" | LogPart | null>(null);
  /** Whether the dialog that saves the pages side by side is open. */
  arranging = $state(false);
  /** The question of the open dialog before it ends the system; null if no dialog is open. */
  ending = $state.raw<Ending | null>(null);
  /** Text with which the palette was opened, with a new line for an Enter; null while it is closed. */
  palette = $state<string | null>(null);
  /** Whether the list of keys is open. */
  keys = $state(false);
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly instances = new Map<unknown, unknown>();

  constructor(readonly client: Client) {
    this.events = new Events(client);
    this.running = new Running(client, () => this.live.restart());
    this.conditions = new Conditions(client);
    this.live = new Live(client, this.timeline, (ref) => this.running.ports.has(ref));
    this.params = new Params(client);
    client.onState((s) => this.setConnection(s));
    client.onEvent((e) => {
      if (e.kind === "gone" || e.kind === "back") void this.refresh();
    });
    setInterval(() => void this.refresh(), systemsEvery);
    this.setConnection(client.state);
  }

  /** Returns the single instance of a class that keeps running while other pages are shown; creates it on first use. Its effects never end. */
  shared<T>(type: new (app: App) => T): T {
    if (!this.instances.has(type)) $effect.root(() => void this.instances.set(type, new type(this)));
    return this.instances.get(type) as T;
  }

  /** Whether the selected system runs and this page is connected to it. */
  get current(): boolean {
    return this.connection === "connected" && (this.systems.find((s) => s.name === this.system)?.alive ?? false);
  }

  /** Reports whether the user's role includes the given role. */
  can(role: Role): boolean {
    return this.session !== null && roles.indexOf(this.session.role) >= roles.indexOf(role);
  }

  /** Returns a tooltip that names the role an action requires; "" if the user has it. */
  missingRole(role: Role): string {
    return this.can(role) ? "" : `Needs the ${role} role; yours is ${this.session?.role ?? "unknown"}`;
  }

  /** Selects another system. */
  choose(system: string): void {
    if (system === this.system) return;
    this.system = system;
    this.conditions.choose(system);
    this.timeline.choose(new LiveHistory(this.client, system));
    this.live.choose(system);
    this.params.choose(system);
    void this.running.choose(system);
  }

  /** Runs a user's action. A failure is shown as a notice and returns undefined; done is the notice after success. */
  async attempt<T>(action: () => Promise<T>, done?: string): Promise<T | undefined> {
    try {
      const result = await action();
      if (done !== undefined) this.notify(done);
      return result;
    } catch (e) {
      this.notify(messageOf(e), true);
      return undefined;
    }
  }

  /** Shows a notice. */
  notify(text: string, bad = false): void {
    this.notice = { text, bad };
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => (this.notice = null), bad ? 12_000 : 4_000);
  }

  private setConnection(state: ConnectionState): void {
    this.connection = state;
    this.session = this.client.session;
    if (state === "connected") void this.resume();
  }

  /** Asks for the systems, and for the structure of the one shown; another one loads it when it is chosen. */
  private async resume(): Promise<void> {
    const shown = this.system;
    await this.refresh();
    if (this.system === shown) await this.running.load();
  }

  private async refresh(): Promise<void> {
    if (this.connection !== "connected") return;
    try {
      this.systems = await this.client.request("systems", {});
    } catch {
      return; // the connection bar shows the cause
    }
    const wanted = this.system || this.route.query.get("system");
    if (this.systems.some((s) => s.name === wanted)) this.choose(wanted ?? "");
    else if (this.system === "") this.choose(this.systems[0]?.name ?? "");
  }
}

export const [useApp, provideApp] = createContext<App>();
