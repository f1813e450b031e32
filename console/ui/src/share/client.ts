// The client of a shared page: answers the console's components from the contents of the page. It never uses the network.
import { RequestError, type Client, type ConnectionState, type Watch } from "../lib/client";
import type { Methods } from "../lib/methods";
import type { ConsoleEvent, Value } from "../lib/wire";
import type { Contents } from "./contents";
import { Curves } from "./curves";

type Answers = { [M in keyof Methods]?: (args: Methods[M]["args"]) => Methods[M]["result"] };

const nothing = (): void => undefined;

export class ContentsClient implements Client {
  readonly state: ConnectionState = "connected";
  readonly session = null;
  private readonly answers: Answers;

  constructor(run: Contents) {
    const curves = new Curves(run.series);
    const wall = run.wall ?? new Date(run.end_ns * 1e-6).toISOString();
    this.answers = {
      systems: () => [{ name: run.system || run.title, processes: [], alive: true }],
      log: () => eventsOf(run, wall),
      robot: () => ({ robots: run.robots, notes: [] }),
      poses: () => ({ poses: [] }),
      "history.span": () => ({ run: 1, start_ns: run.start_ns, end_ns: run.end_ns, wall, slips: run.slips }),
      "history.at": ({ refs, time_ns }) => ({
        values: Object.fromEntries(
          refs.flatMap((ref): [string, Value][] => {
            const value = curves.at(ref, time_ns);
            return value === undefined ? [] : [[ref, value]];
          }),
        ),
      }),
      "history.read": ({ signals, from_ns, to_ns, points }) => ({ s: curves.read(signals, from_ns, to_ns, points) }),
    };
  }

  async request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]> {
    const answer = this.answers[method] as ((a: Methods[M]["args"]) => Methods[M]["result"]) | undefined;
    if (answer === undefined) return Promise.reject(new RequestError(method, `a shared page has no ${method}`));
    return Promise.resolve(answer(args));
  }

  watch(): Watch {
    return { stop: nothing };
  }

  onEvent(): () => void {
    return nothing;
  }

  onPose(): () => void {
    return nothing;
  }

  onCondition(): () => void {
    return nothing;
  }

  /** The contents are there at once: the components load them as after a connection. */
  onState(f: (s: ConnectionState) => void): () => void {
    queueMicrotask(() => f(this.state));
    return nothing;
  }

  close(): void {
    // nothing is open
  }
}

/** Returns the events with the times of day from which the flags on the time bar are placed. */
function eventsOf(run: Contents, wall: string): ConsoleEvent[] {
  return run.events.map(({ time_ns, ...e }, i) => ({ ...e, seq: i + 1, system: run.system, time: new Date(Date.parse(wall) + (time_ns - run.end_ns) * 1e-6).toISOString() }));
}
