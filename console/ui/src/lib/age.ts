// How old the value of a port is, as the pages show it beside the value.
import type { App } from "./app.svelte";
import { duration } from "./value";
import type { Port } from "./wire";

/**
 * Returns "80 ms old", or "" where the age is normal: of a value that was written in the present activation or, of an input, at most a period of its thread before;
 * of one that was given by hand; of an input that is not linked.
 */
export function ageText(app: App, ref: string, port: Port): string {
  const input = port.kind === "input";
  if ((!input && port.kind !== "output") || port.by_hand || (input && !port.from)) return "";
  const block = (port.behind?.[0] ?? ref).replace(/\.[^.[]*(\[.*)?$/, "");
  const age = app.live.age(ref);
  return age > (input ? app.running.period(block) : 0) ? `${duration(age)} old` : "";
}
