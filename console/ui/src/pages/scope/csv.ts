// Exports signals as CSV: one row for each sample time, with an empty field for signals without a sample at that time.

import type { Ring } from "./ring";

export interface Column {
  name: string;
  unit: string;
  ring: Ring;
}

/** Returns the table for [from, to] seconds as RFC 4180 CSV, with system times in seconds. */
export function toCSV(columns: readonly Column[], from: number, to: number): string {
  const head = ["time [s]", ...columns.map((c) => (c.unit === "" ? c.name : `${c.name} [${c.unit}]`))];
  const rows = [head.map(field).join(",")];
  const cursors = columns.map((c) => ({ ring: c.ring, next: c.ring.search(from) }));
  for (;;) {
    let time = Infinity;
    for (const cursor of cursors) {
      while (cursor.next < cursor.ring.end && cursor.ring.isBreak(cursor.next)) cursor.next++;
      if (cursor.next < cursor.ring.end) time = Math.min(time, cursor.ring.time(cursor.next));
    }
    if (time > to) break;
    const values = cursors.map((cursor) => {
      if (cursor.next >= cursor.ring.end || cursor.ring.time(cursor.next) !== time) return "";
      const value = cursor.ring.value(cursor.next++);
      return Number.isNaN(value) ? "NaN" : String(value);
    });
    rows.push([time.toFixed(9).replace(/0+$/, "").replace(/\.$/, ""), ...values].join(","));
  }
  return rows.join("\r\n") + "\r\n";
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
