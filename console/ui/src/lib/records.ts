// Recorded logs on the wire. Its Go side is console/records.go.
import type { Frame, OfSystem, Signal } from "./wire";

/** A log that may be opened. */
export interface LogFile {
  file: string;
  /** bytes */
  size: number;
  /** of its last change, ns since 1970 */
  time_ns: number;
}

/** What an opened log tells of itself. */
export interface LogInfo {
  id: string;
  start_ns: number;
  end_ns: number;
  /** its numbers: a port, or an element of it */
  signals: { ref: string; element?: number; type: string; unit?: string }[];
  /** what could not be read */
  damage?: string[];
}

export interface RecordMethods {
  /** the newest first */
  "record.list": { args: OfSystem; result: LogFile[] };
  "record.open": { args: OfSystem & { file: string }; result: LogInfo };
  /** of more than so many points of a signal their extremes */
  "record.read": { args: OfSystem & { id: string; signals: Signal[]; from_ns: number; to_ns: number; points: number }; result: { s: Frame["s"] } };
}
