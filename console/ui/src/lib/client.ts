// The page's client of the console's server: requests, watches, events. nats.ts implements it over NATS, src/mock simulates a server for tests and development.
import type { Condition } from "./condition";
import type { Methods } from "./methods";
import type { CoachPose } from "./robots";
import type { ConsoleEvent, Frame, Session, Signal } from "./wire";

/** State of the connection. "refused": the session has ended and only the printed address opens a new one; "full": the user has too many pages open. */
export type ConnectionState = "connecting" | "connected" | "lost" | "refused" | "full";

/** The code by which pages decide when a request is rejected. "changed_on_disk": the file to be saved has another version than the one that was edited. */
export type ErrorCode = "changed_on_disk";

/** A request that the server rejected or did not answer; its message can be shown as it is. */
export class RequestError extends Error {
  constructor(
    readonly method: string,
    message: string,
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

export interface Watch {
  /** Stops the watch. */
  stop(): void;
}

export interface Client {
  readonly state: ConnectionState;
  /** User and role; null until the first login. */
  readonly session: Session | null;

  /** Sends a request and returns its result; rejects with a RequestError. */
  request<M extends keyof Methods>(method: M, args: Methods[M]["args"]): Promise<Methods[M]["result"]>;

  /**
   * Watches signals, with at most rate frames a second, until it is stopped. A watch survives a lost connection and a restart of
   * the server. onError is called once for each attempt that fails. With newest, a frame holds only the newest sample of each signal.
   */
  watch(system: string, signals: Signal[], rate: number, onFrame: (f: Frame) => void, onError?: (e: Error) => void, newest?: boolean): Watch;

  /** Calls f with every event of any system until the returned function is called. */
  onEvent(f: (e: ConsoleEvent) => void): () => void;

  /** Calls f with every pose that a program shows, of any system, until the returned function is called. */
  onPose(f: (p: CoachPose) => void): () => void;

  /** Calls f with the condition of a system when it has changed, until the returned function is called. */
  onCondition(f: (system: string, c: Condition) => void): () => void;

  /** Calls f when the connection's state changes, until the returned function is called. */
  onState(f: (s: ConnectionState) => void): () => void;

  close(): void;
}
