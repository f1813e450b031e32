// The client over NATS in a WebSocket. It gets its session from /api/session, reconnects automatically and then restarts all watches.
import { wsconnect, type NatsConnection } from "@nats-io/nats-core";
import { RequestError, type Client, type ConnectionState, type ErrorCode, type Watch } from "./client";
import type { Condition } from "./condition";
import { messageOf } from "./errors";
import type { Methods } from "./methods";
import type { CoachPose } from "./robots";
import type { ConsoleEvent, Frame, Session, Signal } from "./wire";

const requestTimeout = 12_000; // ms; a little longer than the server's
const longRequests: Partial<Record<keyof Methods, number>> = { start: 185_000, stop: 65_000, restart: 185_000, call: 605_000, "plan.make": 665_000, "plan.time": 665_000, "program.compile": 665_000 }; // ms; a little longer than the server's
const pingInterval = 2_000; // ms
const mostUnanswered = 3; // pings; after that the connection counts as lost
const busy = 500; // ms; a timer later than this means that the page itself is overloaded
const loginTimeout = 5_000; // ms
const longestPause = 2_000; // ms between two attempts
const mostEarly = 64; // frames kept that arrive before the answer with their watch's id

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

/** Client over NATS. It connects immediately. */
export class NatsClient implements Client {
  state: ConnectionState = "connecting";
  session: Session | null = null;

  private connection: NatsConnection | undefined;
  private closed = false;
  private readonly watchers = new Set<Watcher>();
  private readonly byId = new Map<string, Watcher>();
  private early: Frame[] = [];
  private readonly eventSinks = new Set<(e: ConsoleEvent) => void>();
  private readonly poseSinks = new Set<(p: CoachPose) => void>();
  private readonly conditionSinks = new Set<(system: string, c: Condition) => void>();
  private readonly stateSinks = new Set<(s: ConnectionState) => void>();

  constructor(private readonly base: URL) {
    void this.keepConnected();
  }

  async request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]> {
    const connection = this.connection;
    if (!connection || !this.session) throw new RequestError(method, "not connected to the console");
    let text: string;
    try {
      const m = await connection.request(this.subject(method), JSON.stringify(args), { timeout: longRequests[method] ?? requestTimeout });
      text = m.string();
    } catch (e) {
      throw new RequestError(method, `${method}: no answer from the console (${messageOf(e)})`);
    }
    const reply = JSON.parse(text) as { result?: Methods[M]["result"]; error?: string; code?: ErrorCode };
    if (reply.error !== undefined && reply.error !== "") throw new RequestError(method, reply.error, reply.code);
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

  onPose(f: (p: CoachPose) => void): () => void {
    this.poseSinks.add(f);
    return () => this.poseSinks.delete(f);
  }

  onCondition(f: (system: string, c: Condition) => void): () => void {
    this.conditionSinks.add(f);
    return () => this.conditionSinks.delete(f);
  }

  onState(f: (s: ConnectionState) => void): () => void {
    this.stateSinks.add(f);
    return () => this.stateSinks.delete(f);
  }

  close(): void {
    this.closed = true;
    void this.connection?.close();
  }

  /** Connects, and reconnects whenever the connection ends, until close. */
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
          pingInterval: 600_000, // silence() detects a dead connection
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
        if (e instanceof Full) this.enter("full");
      }
      this.connection = undefined;
      if (this.state !== "refused" && this.state !== "full" && !this.closed) this.enter("lost");
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  private async login(): Promise<Session> {
    const answer = await fetch(new URL("/api/session", this.base), { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(loginTimeout) });
    if (answer.status === 401 || answer.status === 403) throw new Refused();
    if (answer.status === 429) throw new Full();
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
    connection.subscribe(this.subject("coach"), {
      callback: (err, m) => {
        if (err) return;
        const p = m.json<CoachPose>();
        for (const f of this.poseSinks) f(p);
      },
    });
    connection.subscribe(this.subject("condition"), {
      callback: (err, m) => {
        if (err) return;
        const { system, condition } = m.json<{ system: string; condition: Condition }>();
        for (const f of this.conditionSinks) f(system, condition);
      },
    });
    this.byId.clear();
    this.early = [];
    connection.subscribe(this.subject("frame.*"), {
      callback: (err, m) => {
        if (!err) this.deliver(m.json<Frame>());
      },
    });
  }

  /** Delivers a frame. The first frames may arrive before the answer with the watch's id; they are kept until then. */
  private deliver(f: Frame): void {
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
      if (!w.stopped && connection === this.connection) w.onError?.(e instanceof Error ? e : new Error(messageOf(e)));
    }
  }

  private end(w: Watcher): void {
    this.byId.delete(w.id);
    if (w.id !== "" && this.connection) this.request("unwatch", { id: w.id }).catch(() => undefined); // the watch ends with the session at the latest
    w.id = "";
  }

  private subject(method: string): string {
    return `c.${this.session?.nats.user ?? ""}.${method}`;
  }

  private enter(state: ConnectionState): void {
    if (state === this.state) return;
    this.state = state;
    for (const f of this.stateSinks) f(state);
  }
}

/** The session has ended. */
class Refused extends Error {}

/** The user has the maximum number of pages open. */
class Full extends Error {}

/** Resolves after mostUnanswered pings without an answer. Periods in which the page itself was blocked do not count. */
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
