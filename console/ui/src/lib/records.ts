// Recorded logs and the last minutes of systems in the console's protocol; the Go side is package console.
import type { Frame, OfSystem, Signal, Value } from "./wire";

/** A log file that can be opened. */
export interface LogFile {
  file: string;
  /** bytes */
  size: number;
  /** last modification, ns since 1970 */
  time_ns: number;
  /** the system that it is a log of, if that is not the system asked about */
  other?: string;
}

/** Contents of an opened log. */
export interface LogInfo {
  id: string;
  start_ns: number;
  end_ns: number;
  /** recorded numbers: a port, or an element of it */
  signals: { ref: string; element?: number; type: string; unit?: string }[];
  /** parts that could not be read */
  damage?: string[];
}

/** A part of a log that a page is made of. */
export interface LogPart {
  file: string;
  /** the visible time, s */
  from: number;
  to: number;
  /** numbers to plot; none: those that the system file watches */
  signals: string[];
}

export interface RecordMethods {
  /** newest first; those of other systems follow after the others */
  "record.list": { args: OfSystem; result: LogFile[] };
  "record.open": { args: OfSystem & { file: string }; result: LogInfo };
  /** signals with more points than asked for are reduced to extremes */
  "record.read": { args: OfSystem & { id: string; signals: Signal[]; from_ns: number; to_ns: number; points: number }; result: { s: Frame["s"] } };
}

export interface HistoryMethods {
  /** the time that the server has; asking begins to keep the system for another ten minutes */
  "history.span": { args: OfSystem; result: { run: number; start_ns: number; end_ns: number; wall: string; slips: { time_ns: number; thread: string; count: number }[] } };
  "history.at": { args: OfSystem & { refs: string[]; time_ns: number }; result: { values: Record<string, Value> } };
  /** signals with more points than asked for are reduced to extremes */
  "history.read": { args: OfSystem & { signals: Signal[]; from_ns: number; to_ns: number; points: number }; result: { s: Frame["s"] } };
}
