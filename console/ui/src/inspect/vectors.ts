// The ports of a block or group under headings: inputs and outputs, of two-way blocks by their half, events and handlers.
import type { Port } from "../lib/wire";

const headings: readonly (readonly [string, Port["half"], Port["kind"]])[] = [
  ["Sensor inputs", "sense", "input"],
  ["Sensor outputs", "sense", "output"],
  ["Control inputs", "control", "input"],
  ["Control outputs", "control", "output"],
  ["Inputs", undefined, "input"],
  ["Outputs", undefined, "output"],
];

/** Returns the ports under their headings, without empty ones. The input "enable" is left out. */
export function vectors(ports: Port[] | null | undefined): { title: string; ports: Port[] }[] {
  const shown = (ports ?? []).filter((p) => p.name !== "enable");
  const kinds = (["event", "handler"] as const).map((kind) => ({ title: kind === "event" ? "Events" : "Handlers", ports: shown.filter((p) => p.kind === kind) }));
  return [...headings.map(([title, half, kind]) => ({ title, ports: shown.filter((p) => p.half === half && p.kind === kind) })), ...kinds].filter((v) => v.ports.length > 0);
}
