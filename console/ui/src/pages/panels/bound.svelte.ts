// One binding of a widget at work: the value that it shows, and the way to set it.

import type { Console } from "../../lib/console.svelte";
import type { Operation, Param, Port, Value } from "../../lib/wire";
import { leaf } from "../scope/signals";
import { splitRef, type Binding } from "./panel";
import type { Params } from "./params.svelte";

export class Bound {
  /** Whether an input holds what this widget fed to it. */
  fed = $state(false);
  private busy = false;
  private next: { value: Value; lasts: number | undefined } | null = null;

  constructor(
    private readonly app: Console,
    private readonly params: Params,
    private readonly binding: () => Binding | undefined,
  ) {
    $effect(() => {
      const b = this.binding();
      if (b === undefined || this.target === null) return;
      if (b.kind === "param") return this.params.look(b.ref);
      if (b.kind === "port") return this.app.live.look([this.port]);
      return;
    });
  }

  /** What is bound, as the structure describes it; null where it does not exist. */
  get target(): Port | Param | Operation | null {
    const b = this.binding();
    if (b === undefined) return null;
    const { block, name } = splitRef(b.ref);
    const found = this.app.running.blocks.get(block);
    const list = { port: found?.ports, param: found?.params, operation: found?.operations }[b.kind];
    return list?.find((item) => item.name === name) ?? null;
  }

  /** Why nothing can be shown or done; "" where all is well. */
  get problem(): string {
    const b = this.binding();
    if (b === undefined) return "not bound";
    if (this.app.running.structure === null) return "";
    return this.target === null ? `${b.ref} does not exist` : "";
  }

  /** Whether an input holds what was fed to it, here or by anyone. */
  get held(): boolean {
    const { target } = this;
    return this.fed || (target !== null && "by_hand" in target && target.by_hand === true);
  }

  /** The newest value; undefined before the first. */
  get value(): Value | undefined {
    const b = this.binding();
    if (b === undefined || b.kind === "operation") return undefined;
    if (b.kind === "param") return this.params.values.get(b.ref);
    const whole = this.app.live.values.get(this.port);
    const { element } = splitRef(b.ref);
    return whole === undefined || element === null ? whole : leaf(whole, `[${element}]`);
  }

  /** The value as a number; NaN where it is none. */
  get number(): number {
    const { value } = this;
    return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : NaN;
  }

  get unit(): string {
    const { target } = this;
    return target !== null && "unit" in target ? (target.unit ?? "") : "";
  }

  /** Bounds that a parameter has. */
  get bounds(): { min?: number; max?: number } {
    const { target } = this;
    return target !== null && "min" in target ? target : {};
  }

  /** Whether the user may set it now. */
  get enabled(): boolean {
    return this.target !== null && this.app.connection === "connected" && this.lacks === "";
  }

  /** Why the user may never set it: parameters and inputs need the role tune, operations drive. "" where he may. */
  get lacks(): string {
    return this.app.lacks(this.binding()?.kind === "operation" ? "drive" : "tune");
  }

  /**
   * Sets it. While a value is under way only the newest of those that follow is kept. An input is held until it is released, or, where
   * lasts is given, until it was not set again for so many seconds.
   */
  write(value: Value, lasts?: number): void {
    this.next = { value, lasts };
    if (!this.busy) void this.send();
  }

  /** Runs a bound operation. */
  async call(args: Value[]): Promise<Value | undefined> {
    const b = this.binding();
    if (b === undefined) return undefined;
    return this.app.attempt(() => this.app.link.request("call", { system: this.app.system, ref: b.ref, args }));
  }

  /** Lets an input go that was held. */
  release(): void {
    if (!this.held) return;
    this.fed = false;
    void this.app.attempt(() => this.app.link.request("release", { system: this.app.system, ref: this.port }));
  }

  private get port(): string {
    return this.binding()?.ref.replace(/\[\d+\]$/, "") ?? "";
  }

  private async send(): Promise<void> {
    this.busy = true;
    while (this.next !== null) {
      const { value, lasts } = this.next;
      this.next = null;
      const b = this.binding();
      if (b !== undefined && b.kind !== "operation") await this.app.attempt(() => this.set(b, value, lasts));
    }
    this.busy = false;
  }

  private async set(b: Binding, value: Value, lasts: number | undefined): Promise<void> {
    const { link, system } = this.app;
    const { block, name, element } = splitRef(b.ref);
    if (b.kind === "param") {
      await link.request("set", { system, block, values: { [name]: value } });
      this.params.ask([b.ref]);
      return;
    }
    let whole = value;
    if (element !== null) {
      const now = (await link.request("read", { system, ref: this.port })).value;
      const list = Array.isArray(now) ? [...now] : [];
      while (list.length <= element) list.push(0);
      list[element] = value;
      whole = list;
    }
    await link.request("feed", { system, ref: this.port, value: whole, ...(lasts !== undefined && { for_s: lasts }) });
    this.fed = true;
  }
}
