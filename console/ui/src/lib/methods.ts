// Every request that a page may make: its arguments and its result. Who may make it, docs/reference/console-protocol.md says.

import type { RecordMethods } from "./records";
import type { RobotMethods } from "./robots";
import type { BlockType, ConsoleEvent, FileError, NetText, OfSystem, Reading, Signal, Statistics, Structure, SystemInfo, Value } from "./wire";

interface OfRef extends OfSystem {
  ref: string;
}
interface OfBlock extends OfSystem {
  block: string;
}

/** Every request that the server answers: its arguments and its result. */
export interface Methods extends RobotMethods, RecordMethods {
  systems: { args: Record<string, never>; result: SystemInfo[] };
  structure: { args: OfSystem; result: Structure };
  statistics: { args: OfSystem; result: Statistics };
  /** all types; or one, with the ports that it has under given parameters */
  types: { args: OfSystem & { type?: string; params?: Record<string, Value> }; result: BlockType[] };
  read: { args: OfRef; result: Reading };
  feed: { args: OfRef & { value: Value; for_s?: number }; result: null };
  release: { args: OfRef; result: null };
  param: { args: OfRef; result: Value };
  set: { args: OfBlock & { values: Record<string, Value> }; result: null };
  call: { args: OfRef & { args?: Value[]; named?: Record<string, Value> }; result: Value };
  reset: { args: OfBlock; result: null };
  enable: { args: OfBlock & { on: boolean }; result: null };
  start: { args: OfSystem; result: null };
  stop: { args: OfSystem; result: null };
  restart: { args: OfSystem; result: null };
  watch: { args: OfSystem & { signals: Signal[]; rate: number; newest?: boolean }; result: { id: string } };
  unwatch: { args: { id: string }; result: null };
  log: { args: { system?: string; after?: number }; result: ConsoleEvent[] };
  save: { args: OfSystem & { dry_run: boolean }; result: { diff: string } };
  /** one file of a system: that which was named, or the first */
  "net.get": { args: OfSystem & { file?: string }; result: NetText };
  "net.check": { args: OfSystem & { text: string; file?: string }; result: { errors: FileError[] | null } };
  "net.put": { args: OfSystem & { text: string; file?: string; version?: string }; result: NetText };
  "panels.list": { args: OfSystem; result: string[] };
  "panels.get": { args: OfSystem & { name: string }; result: { yaml: string; panel: Value } };
  "panels.put": { args: OfSystem & { name: string; panel: Value }; result: null };
  "panels.remove": { args: OfSystem & { name: string }; result: null };
  /** modules of a user's own widgets */
  widgets: { args: OfSystem; result: string[] };
}
