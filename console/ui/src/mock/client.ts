// A simulated server inside the page, for development and tests with ?mock. The production build does not contain it.
import { RequestError, type Client, type ConnectionState, type Watch } from "../lib/client";
import type { Condition } from "../lib/condition";
import type { Methods } from "../lib/methods";
import type { CoachPose } from "../lib/robots";
import type { ConsoleEvent, Frame, Role, Session, Signal, Value } from "../lib/wire";
import { messageOf } from "../lib/errors";
import { answers, ChangedOnDisk, type Answers } from "./answers";
import { MockServer } from "./server";

const role = (new URLSearchParams(location.search).get("role") ?? "own") as Role;
const mostSamples = 4096; // per signal and frame

export class MockClient implements Client {
  state: ConnectionState = "connecting";
  session: Session | null = null;
  private readonly server = new MockServer();
  private readonly poseSinks = new Set<(p: CoachPose) => void>();
  private readonly stateSinks = new Set<(s: ConnectionState) => void>();
  private readonly held = new Map<string, Promise<void>>(); // by method
  private nextId = 1;

  constructor() {
    setTimeout(() => this.enter("connected"), 20);
    // for tests: window.sinewMock.lose(), .regain(), .server, .show(pose), .hold(method), which returns what lets its requests go on
    Object.assign(window, { sinewMock: { hold: (method: string) => this.hold(method), lose: () => this.enter("lost"), regain: () => this.enter("connected"), server: this.server, show: (p: CoachPose) => this.poseSinks.forEach((f) => f(p)) } });
  }

  async request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]> {
    await new Promise((done) => setTimeout(done, 2));
    if (this.state !== "connected") throw new RequestError(method, "not connected to the console");
    const answer = answers[method as keyof Answers] as ((s: MockServer, a: Methods[M]["args"]) => Methods[M]["result"]) | undefined;
    await this.held.get(method);
    if (!answer) throw new RequestError(method, `the simulated console does not know ${method}`);
    try {
      return answer(this.server, args);
    } catch (e) {
      throw new RequestError(method, messageOf(e), e instanceof ChangedOnDisk ? "changed_on_disk" : undefined);
    }
  }

  /** Holds the requests of a method until the returned function is called. */
  private hold(method: string): () => void {
    let go = (): void => undefined;
    this.held.set(method, new Promise<void>((done) => (go = done)));
    return go;
  }

  watch(system: string, signals: Signal[], rate: number, onFrame: (f: Frame) => void): Watch {
    const id = String(this.nextId++);
    let last = this.server.system(system).now();
    const timer = setInterval(() => {
      const s = this.server.system(system);
      if (this.state !== "connected" || !s.alive) return;
      const now = s.now();
      if (now < last || now > last + 5) last = now;
      const frame: Frame = { id, t: Math.round(now * 1e9), lost: 0, s: [] };
      signals.forEach(({ ref, element }, i) => {
        const period = s.period(ref);
        const times: number[] = [];
        const values: Value[] = [];
        for (let n = Math.floor(last / period) + 1; n * period <= now && times.length < mostSamples; n++) {
          const v = s.sample(ref, n * period);
          times.push(Math.round(n * period * 1e9));
          values.push(element !== undefined && Array.isArray(v) ? (v[element] ?? null) : v);
        }
        if (times.length > 0) frame.s.push([i, times, values, s.ages.get(ref) ?? 0]);
      });
      last = now;
      onFrame(frame);
    }, 1000 / rate);
    return { stop: () => clearInterval(timer) };
  }

  onEvent(f: (e: ConsoleEvent) => void): () => void {
    return this.server.onEvent(f);
  }

  onPose(f: (p: CoachPose) => void): () => void {
    this.poseSinks.add(f);
    return () => this.poseSinks.delete(f);
  }

  onCondition(f: (system: string, c: Condition) => void): () => void {
    return this.server.onEvent((e) => {
      if (e.system !== undefined && e.kind !== "log") f(e.system, this.server.system(e.system).condition());
    });
  }

  onState(f: (s: ConnectionState) => void): () => void {
    this.stateSinks.add(f);
    return () => this.stateSinks.delete(f);
  }

  close(): void {
    this.stateSinks.clear();
  }

  private enter(state: ConnectionState): void {
    this.state = state;
    this.session = { user: "ada", role, version: "mock", nats: { path: "", user: "", pass: "" } };
    for (const f of this.stateSinks) f(state);
  }
}
