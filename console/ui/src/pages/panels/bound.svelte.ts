// A widget's binding at run time: its current value, and setting it.

import type { App } from "../../lib/app.svelte";
import type { Operation, Param, Port, Value } from "../../lib/wire";
import { pick, put, splitRef, type Binding } from "./panel";
import type { PolledParams } from "./polled.svelte";

export class Bound {
  /** Whether this widget overrides an input. */
  overriddenHere = $state(false);
  private busy = false;
  private next: { value: Value; expiresAfter: number | undefined } | null = null;

  constructor(
    private readonly app: App,
    private readonly params: PolledParams,
    private readonly binding: () => Binding | undefined,
  ) {
    $effect(() => {
      const b = this.binding();
      if (b === undefined || this.target === null) return;
      if (b.kind === "param") return this.params.follow(this.port);
      if (b.kind === "port") return this.app.live.follow([this.port]);
      return;
    });
  }

  /** The bound port, parameter or operation; null if it does not exist. */
  get target(): Port | Param | Operation | null {
    const b = this.binding();
    if (b === undefined) return null;
    const { block, name } = splitRef(b.ref);
    const found = this.app.running.blocks.get(block);
    const list = { port: found?.ports, param: found?.params, operation: found?.operations }[b.kind];
    return list?.find((item) => item.name === name) ?? null;
  }

  /** Why the binding does not work; "" if it does. */
  get problem(): string {
    const b = this.binding();
    if (b === undefined) return "not bound";
    if (this.app.running.structure === null) return "";
    return this.target === null ? `${b.ref} does not exist` : "";
  }

  /** Whether the bound input is overridden, by this widget or another client. */
  get overridden(): boolean {
    const { target } = this;
    return this.overriddenHere || (target !== null && "by_hand" in target && target.by_hand === true);
  }

  /** The newest value; undefined before the first. */
  get value(): Value | undefined {
    const b = this.binding();
    if (b === undefined || b.kind === "operation") return undefined;
    const whole = (b.kind === "param" ? this.params : this.app.live).values.get(this.port);
    return whole === undefined ? whole : pick(whole, splitRef(b.ref).elements);
  }

  /** The value as a number; NaN if it is not a number. */
  get number(): number {
    const { value } = this;
    return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : NaN;
  }

  get unit(): string {
    const { target } = this;
    return target !== null && "unit" in target ? (target.unit ?? "") : "";
  }

  /** Bounds of a parameter. */
  get bounds(): { min?: number; max?: number } {
    const { target } = this;
    return target !== null && "min" in target ? target : {};
  }

  /** Whether the user can set the value now. */
  get enabled(): boolean {
    return this.target !== null && this.app.connection === "connected" && this.missingRole === "";
  }

  /** A tooltip with the required role: tune for parameters, drive for inputs and operations; "" if the user has it. */
  get missingRole(): string {
    return this.app.missingRole(this.binding()?.kind === "param" ? "tune" : "drive");
  }

  /**
   * Sets the value. While a request is in flight, only the newest later value is kept. An input is overridden until it is released, or,
   * with expiresAfter, until that many seconds have passed since the last write.
   */
  write(value: Value, expiresAfter?: number): void {
    this.next = { value, expiresAfter };
    if (!this.busy) void this.send();
  }

  /** Calls the bound operation. */
  async call(args: Value[]): Promise<Value | undefined> {
    const b = this.binding();
    if (b === undefined) return undefined;
    return this.app.attempt(() => this.app.client.request("call", { system: this.app.system, ref: b.ref, args }));
  }

  /** Releases an overridden input. */
  release(): void {
    if (!this.overridden) return;
    this.overriddenHere = false;
    void this.app.attempt(() => this.app.client.request("release", { system: this.app.system, ref: this.port }));
  }

  private get port(): string {
    return splitRef(this.binding()?.ref ?? "").port;
  }

  private async send(): Promise<void> {
    this.busy = true;
    while (this.next !== null) {
      const { value, expiresAfter } = this.next;
      this.next = null;
      const b = this.binding();
      if (b !== undefined && b.kind !== "operation") await this.app.attempt(() => this.set(b, value, expiresAfter));
    }
    this.busy = false;
  }

  private async set(b: Binding, value: Value, expiresAfter: number | undefined): Promise<void> {
    const { client, system } = this.app;
    const { block, name, port, elements } = splitRef(b.ref);
    if (b.kind === "param") {
      const whole = elements === null ? value : put(await client.request("param", { system, ref: port }), elements, value);
      await client.request("set", { system, ref: block, named: { [name]: whole } });
      this.params.ask([port]);
      return;
    }
    const whole = elements === null ? value : put((await client.request("read", { system, ref: port })).value, elements, value);
    await client.request("feed", { system, ref: port, value: whole, ...(expiresAfter !== undefined && { for_s: expiresAfter }) });
    this.overriddenHere = true;
  }
}
