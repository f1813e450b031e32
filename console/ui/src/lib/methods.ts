// Every request of the console's protocol: its arguments and its result. docs/reference/console-protocol.md lists the roles they require.

import type { Findings } from "./findings";
import type { Condition } from "./condition";
import type { Excitation } from "./excitation";
import type { FileLayout } from "./layouts";
import type { HistoryMethods, RecordMethods } from "./records";
import type { PlanMethods } from "./plans";
import type { ProgramMethods } from "./programs";
import type { RobotMethods } from "./robots";
import type { BlockType, ConsoleEvent, NetText, OfSystem, Reading, Signal, Statistics, Structure, SystemInfo, Value } from "./wire";

interface OfRef extends OfSystem {
  ref: string;
}

/** Arguments and result by method. */
export interface Methods extends RobotMethods, PlanMethods, ProgramMethods, RecordMethods, HistoryMethods {
  systems: { args: Record<string, never>; result: SystemInfo[] };
  structure: { args: OfSystem; result: Structure };
  condition: { args: OfSystem; result: Condition };
  statistics: { args: OfSystem; result: Statistics };
  /** all types; or one type, with the ports it has for the given parameters */
  types: { args: OfSystem & { type?: string; params?: Record<string, Value> }; result: BlockType[] };
  read: { args: OfRef; result: Reading };
  feed: { args: OfRef & { value: Value; for_s?: number }; result: boolean | null };
  /** without excitation the present one is renewed; whether it runs */
  excite: { args: OfRef & { excitation?: Excitation; for_s: number }; result: boolean };
  release: { args: OfRef; result: null };
  param: { args: OfRef; result: Value };
  set: { args: OfRef & { named: Record<string, Value> }; result: null };
  call: { args: OfRef & { args?: Value[]; named?: Record<string, Value> }; result: Value };
  reset: { args: OfRef; result: null };
  enable: { args: OfRef & { value: boolean }; result: null };
  start: { args: OfSystem; result: null };
  stop: { args: OfSystem; result: null };
  restart: { args: OfSystem; result: null };
  watch: { args: OfSystem & { signals: Signal[]; rate: number; newest?: boolean }; result: { id: string } };
  unwatch: { args: { id: string }; result: null };
  log: { args: { system?: string; after?: number }; result: ConsoleEvent[] };
  save: { args: OfSystem & { dry_run: boolean }; result: { diff: string } };
  /** one file of a system: the named file, or the first */
  "net.get": { args: OfSystem & { file?: string }; result: NetText };
  "net.check": { args: OfSystem & { text: string; file?: string }; result: Findings };
  "net.put": { args: OfSystem & { text: string; file?: string; version?: string }; result: NetText };
  "panels.list": { args: OfSystem; result: string[] };
  "panels.get": { args: OfSystem & { name: string }; result: { yaml: string; panel: Value; version: string } };
  /** with yaml the file's text is written as it is */
  "panels.put": { args: OfSystem & { name: string; version?: string } & ({ panel: Value } | { yaml: string }); result: { version: string } };
  "panels.remove": { args: OfSystem & { name: string }; result: null };
  /** of all files of a system */
  "layout.get": { args: OfSystem; result: { layouts: FileLayout[] } };
  "layout.put": { args: OfSystem & { file: string; boxes: FileLayout["boxes"]; version?: string }; result: { version: string } };
  /** names of the modules in the folder widgets */
  widgets: { args: OfSystem; result: string[] };
}
