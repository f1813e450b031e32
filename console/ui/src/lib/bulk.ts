// Values of ports whose values have lengths of their own, T[<=N]: bytes in CDR, never lists of numbers.
import type { Value } from "./wire";

/** A value as the control plane writes it. */
export interface Bulk {
  type: string;
  schema: string;
  elements: number;
  cdr?: string; // base64; missing if there are more bytes than a message may have
}

/** Returns v if it is a value with a length of its own. */
export function asBulk(v: Value | undefined): Bulk | undefined {
  if (typeof v !== "object" || v === null || Array.isArray(v)) return undefined;
  const b = v as unknown as Partial<Bulk>;
  return typeof b.schema === "string" && typeof b.elements === "number" && typeof b.type === "string" ? (b as Bulk) : undefined;
}

type Reader = (d: DataView, at: number) => number | boolean;

const readers: Record<string, [size: number, read: Reader]> = {
  bool: [1, (d, at) => d.getUint8(at) !== 0],
  int8: [1, (d, at) => d.getInt8(at)],
  uint8: [1, (d, at) => d.getUint8(at)],
  int16: [2, (d, at) => d.getInt16(at, true)],
  uint16: [2, (d, at) => d.getUint16(at, true)],
  int32: [4, (d, at) => d.getInt32(at, true)],
  uint32: [4, (d, at) => d.getUint32(at, true)],
  int64: [8, (d, at) => Number(d.getBigInt64(at, true))],
  uint64: [8, (d, at) => Number(d.getBigUint64(at, true))],
  float32: [4, (d, at) => d.getFloat32(at, true)],
  float64: [8, (d, at) => d.getFloat64(at, true)],
};

const header = 8; // of CDR, and the count

/** Decodes the first elements, at most `most`; undefined if they are no numbers, or their bytes are missing. */
export function firstElements(b: Bulk, most: number): (number | boolean)[] | undefined {
  const [size, read] = readers[/^(\w+)\[<=\d+\] data\n$/.exec(b.schema)?.[1] ?? ""] ?? [0, undefined];
  if (!read || b.cdr === undefined) return undefined;
  const begin = header + Math.max(0, size - 4);
  const n = Math.min(most, b.elements);
  const bytes = Uint8Array.from(atob(b.cdr.slice(0, Math.ceil((begin + n * size) / 3) * 4)), (c) => c.charCodeAt(0));
  const data = new DataView(bytes.buffer);
  const list: (number | boolean)[] = [];
  for (let at = begin; list.length < n && at + size <= data.byteLength; at += size) list.push(read(data, at));
  return list;
}
