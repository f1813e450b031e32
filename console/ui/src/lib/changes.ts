// Changes of parameters, as the event log reports them: by this page, by other operators and by commands.
import type { App } from "./app.svelte";
import type { ConsoleEvent, Value } from "./wire";

/** A parameter got another value. */
export interface Change {
  /** seq of its first event */
  id: number;
  block: string;
  param: string;
  /** the value before; undefined if it is not known */
  old: Value | undefined;
  value: Value;
  user: string;
  /** time of day, ms since 1970 */
  time: number;
}

const most = 50; // newest changes
const together = 700; // ms; quicker steps of one parameter by one user are one change

/** Returns the changes of a system, newest first. Equal values are no change. */
export function changesOf(events: readonly ConsoleEvent[], system: string): Change[] {
  const list: Change[] = [];
  for (const e of events) {
    if (e.system !== system || e.kind !== "change" || e.action !== "set" || e.values === undefined) continue;
    for (const [param, value] of Object.entries(e.values.named)) {
      const c: Change = { id: e.seq, block: e.ref ?? "", param, old: e.values.was?.[param], value, user: e.user ?? "", time: Date.parse(e.time) };
      const last = list.at(-1);
      const goesOn = last?.block === c.block && last.param === param && last.user === c.user && c.time - last.time < together && !same(last.old, value);
      if (goesOn) list[list.length - 1] = { ...last, value, time: c.time };
      else if (!same(c.old, value)) list.push(c);
    }
  }
  return list.slice(-most).reverse();
}

/** Reports whether two values are equal. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Gives the parameter that was changed last the value before; once more restores the new one. A notice names it. */
export async function swapLast(app: App): Promise<void> {
  const last = changesOf(app.events.list, app.system)[0];
  if (last?.old === undefined) {
    app.notify(last === undefined ? "No parameter was changed" : `The value of ${last.block}.${last.param} before the change is not known`, true);
    return;
  }
  const { block, param, old, value } = last;
  await app.attempt(async () => {
    const ref = `${block}.${param}`;
    const present = await app.client.request("param", { system: app.system, ref }); // the event of a quick swap before may still be on its way
    const next = same(present, old) ? value : old;
    await app.client.request("set", { system: app.system, ref: block, named: { [param]: next } });
    app.notify(`${ref} ${JSON.stringify(present)} → ${JSON.stringify(next)}; Alt A swaps again`);
  });
}
