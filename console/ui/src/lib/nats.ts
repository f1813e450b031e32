// The line to the server over NATS in a WebSocket. It takes the session from /api/session, comes back by itself after a loss, and begins all watches anew then.
import { wsconnect, type NatsConnection } from "@nats-io/nats-core";
import { RequestError, type Link, type LinkState, type Watch } from "./link";
import type { Methods } from "./methods";
import type { ConsoleEvent, Frame, Session, Signal } from "./wire";

const requestTimeout = 10_000; // ms
const pingInterval = 2_000; // ms
const mostUnanswered = 3; // pings; then the connection is dead
const busy = 500; // ms that a timer is late when the page has too much to do
const loginTimeout = 5_000; // ms
const longestPause = 2_000; // ms between two attempts
const mostEarly = 64; // frames that came before the answer that names their watch

interface Watcher {
  system: string;
  signals: Signal[];
  rate: number;
  newest: boolean;
  onFrame: (f: Frame) => void;
  onError: ((e: Error) => void) | undefined;
  id: string;
  stopped: boolean;
}

/** Link over NATS. It connects at once. */
export class NatsLink implements Link {
  state: LinkState = "connecting";
  session: Session | null = null;

  private connection: NatsConnection | undefined;
  private closed = false;
  private readonly watchers = new Set<Watcher>();
  private readonly byId = new Map<string, Watcher>();
  private early: Frame[] = [];
  private readonly eventSinks = new Set<(e: ConsoleEvent) => void>();
  private readonly stateSinks = new Set<(s: LinkState) => void>();

  constructor(private readonly base: URL) {
    void this.keepConnected();
  }

  async request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]> {
    const connection = this.connection;
    if (!connection || !this.session) throw new RequestError(method, "no connection to the console");
    let text: string;
    try {
      const m = await connection.request(this.subject(method), JSON.stringify(args), { timeout: requestTimeout });
      text = m.string();
    } catch (e) {
      throw new RequestError(method, `${method}: the console does not answer (${message(e)})`);
    }
    const reply = JSON.parse(text) as { result?: Methods[M]["result"]; error?: string };
    if (reply.error !== undefined && reply.error !== "") throw new RequestError(method, reply.error);
    return reply.result as Methods[M]["result"];
  }

  watch(system: string, signals: Signal[], rate: number, onFrame: (f: Frame) => void, onError?: (e: Error) => void, newest = false): Watch {
    const w: Watcher = { system, signals, rate, newest, onFrame, onError, id: "", stopped: false };
    this.watchers.add(w);
    if (this.connection) void this.begin(w);
    return {
      stop: () => {
        w.stopped = true;
        this.watchers.delete(w);
        this.end(w);
      },
    };
  }

  onEvent(f: (e: ConsoleEvent) => void): () => void {
    this.eventSinks.add(f);
    return () => this.eventSinks.delete(f);
  }

  onState(f: (s: LinkState) => void): () => void {
    this.stateSinks.add(f);
    return () => this.stateSinks.delete(f);
  }

  close(): void {
    this.closed = true;
    void this.connection?.close();
  }

  /** Connects, waits until the connection ends, and so on until close. */
  private async keepConnected(): Promise<void> {
    for (let pause = 100; !this.closed; pause = Math.min(2 * pause, longestPause)) {
      try {
        const session = await this.login();
        const connection = await wsconnect({
          servers: new URL(session.nats.path, this.base).href.replace(/^http/, "ws"),
          user: session.nats.user,
          pass: session.nats.pass,
          inboxPrefix: `_INBOX.${session.nats.user}`,
          reconnect: false,
          ignoreClusterUpdates: true,
          pingInterval: 600_000, // silence() looks after that
          timeout: 3_000,
        });
        this.session = session;
        this.connection = connection;
        this.listen(connection);
        this.enter("connected");
        for (const w of this.watchers) void this.begin(w);
        pause = 100;
        await Promise.race([connection.closed(), silence(connection)]);
        void connection.close();
      } catch (e) {
        if (e instanceof Refused) this.enter("refused");
      }
      this.connection = undefined;
      if (this.state !== "refused" && !this.closed) this.enter("lost");
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  private async login(): Promise<Session> {
    const answer = await fetch(new URL("/api/session", this.base), { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(loginTimeout) });
    if (answer.status === 401 || answer.status === 403) throw new Refused();
    if (!answer.ok) throw new Error(`session: ${answer.status} ${answer.statusText}`);
    return (await answer.json()) as Session;
  }

  private listen(connection: NatsConnection): void {
    connection.subscribe(this.subject("event"), {
      callback: (err, m) => {
        if (err) return;
        const e = m.json<ConsoleEvent>();
        for (const f of this.eventSinks) f(e);
      },
    });
    this.byId.clear();
    this.early = [];
    connection.subscribe(this.subject("frame.*"), {
      callback: (err, m) => {
        if (!err) this.take(m.json<Frame>());
      },
    });
  }

  /** Passes a frame on. The first may come before the answer that names its watch: it waits for that. */
  private take(f: Frame): void {
    const w = this.byId.get(f.id);
    if (w) w.onFrame(f);
    else this.early = [...this.early, f].slice(-mostEarly);
  }

  private async begin(w: Watcher): Promise<void> {
    const connection = this.connection;
    try {
      const { id } = await this.request("watch", { system: w.system, signals: w.signals, rate: w.rate, newest: w.newest });
      w.id = id;
      if (w.stopped || connection !== this.connection) return this.end(w);
      this.byId.set(id, w);
      for (const f of this.early.filter((e) => e.id === id)) w.onFrame(f);
      this.early = this.early.filter((e) => e.id !== id);
    } catch (e) {
      if (!w.stopped && connection === this.connection) w.onError?.(e instanceof Error ? e : new Error(String(e)));
    }
  }

  private end(w: Watcher): void {
    this.byId.delete(w.id);
    if (w.id !== "" && this.connection) this.request("unwatch", { id: w.id }).catch(() => undefined); // it ends with the session anyway
    w.id = "";
  }

  private subject(method: string): string {
    return `c.${this.session?.nats.user ?? ""}.${method}`;
  }

  private enter(state: LinkState): void {
    if (state === this.state) return;
    this.state = state;
    for (const f of this.stateSinks) f(state);
  }
}

class Refused extends Error {}

/** Resolves when the server has answered nothing for a while. Time in which the page itself did not get on does not count. */
async function silence(connection: NatsConnection): Promise<void> {
  for (let unanswered = 0; unanswered < mostUnanswered && !connection.isClosed(); ) {
    let answered = false;
    connection.flush().then(() => (answered = true)).catch(() => undefined);
    const begin = performance.now();
    await new Promise((done) => setTimeout(done, pingInterval));
    if (answered) unanswered = 0;
    else if (performance.now() - begin < pingInterval + busy) unanswered++;
  }
}

function message(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
