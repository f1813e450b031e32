// The page's line to the console's server, as its users see it. NATS carries it (nats.ts); tests and development put another in its place (src/mock).
import type { Methods } from "./methods";
import type { ConsoleEvent, Frame, Session, Signal } from "./wire";

/** How the line stands. "refused" means that the session is over and only the printed address opens a new one. */
export type LinkState = "connecting" | "connected" | "lost" | "refused";

/** An answer of the server that says why a request failed. */
export class RequestError extends Error {
  constructor(
    readonly method: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Watch {
  /** Ends it. */
  stop(): void;
}

export interface Link {
  readonly state: LinkState;
  /** Who we are; null until the server told. */
  readonly session: Session | null;

  /** Asks the server; fails with a RequestError that can be shown as it is. */
  request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]>;

  /**
   * Watches signals at most rate times a second until it is stopped. It lasts through loss of connection and restart of the server:
   * frames simply go on. onError tells once per attempt why it could not begin. With newest a frame has the newest sample of each signal only.
   */
  watch(system: string, signals: Signal[], rate: number, onFrame: (f: Frame) => void, onError?: (e: Error) => void, newest?: boolean): Watch;

  /** Calls for every event of any system, until the returned function is called. */
  onEvent(f: (e: ConsoleEvent) => void): () => void;

  /** Calls whenever state changes, until the returned function is called. */
  onState(f: (s: LinkState) => void): () => void;

  close(): void;
}
