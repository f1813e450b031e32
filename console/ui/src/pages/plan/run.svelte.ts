// The run of a program on the robot, by the operations of the block that executes it.

import type { App } from "../../lib/app.svelte";
import type { Watch } from "../../lib/client";
import type { ProgramFile } from "../../lib/programs";
import type { Value } from "../../lib/wire";

/** Values of the block's output state. */
export const states = ["no program", "compiling", "running", "going back", "paused", "ended", "failed", "stopped"] as const;
export type RunState = (typeof states)[number];

const rate = 10; // states a second
const pause = 50; // ms between two looks at a block that compiles
const outputs = ["state", "move", "progress", "wanted_rate"] as const;

export class ProgramRun {
  state = $state<RunState>("no program");
  /** Number of the move under way; 0: none. */
  move = $state(0);
  /** Part of the time that is done. */
  progress = $state(0);
  /** The wanted speed as a share of that programmed: the one in force, also where another program set it. */
  speed = $state(1);
  /** Whether the page waits for the block to compile. */
  asking = $state(false);

  /** Whether the robot moves, or rests on a path. */
  readonly under = $derived(["compiling", "running", "going back", "paused"].includes(this.state));

  private inForce = 1; // as the block publishes it
  private changing = 0; // calls under way: until they end the slider keeps what was chosen

  constructor(private readonly app: App) {}

  /** Follows a block until the returned function is called. */
  follow(system: string, block: string): () => void {
    const watch: Watch = this.app.client.watch(
      system,
      outputs.map((name) => ({ ref: `${block}.${name}` })),
      rate,
      (frame) => {
        for (const [index, , samples] of frame.s) this.take(index, samples.at(-1));
      },
      undefined,
      true,
    );
    return () => {
      watch.stop();
      [this.state, this.move, this.progress] = ["no program", 0, 0];
    };
  }

  private take(index: number, value: Value | undefined): void {
    if (typeof value !== "number") return;
    if (index === 0) this.state = states[value] ?? "no program";
    if (index === 1) this.move = value;
    if (index === 2) this.progress = value;
    if (index !== 3) return;
    this.inForce = value;
    if (this.changing === 0) this.speed = value;
  }

  /** Runs a program, and reports why the block cannot compile it from where the robot is. */
  async run(system: string, file: ProgramFile): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    await this.app.attempt(async () => {
      await this.app.client.request("call", { system, ref: `${file.block}.run`, args: [file.number] });
      await begun(this.app, system, `${file.block}.outcome`);
    }, `${file.block} runs ${file.name}.`);
    this.asking = false;
  }

  /** Calls an operation of the block. */
  call(system: string, block: string, operation: "pause" | "resume" | "back" | "stop"): void {
    void this.app.attempt(() => this.app.client.request("call", { system, ref: `${block}.${operation}`, args: [] }));
  }

  /** Sets the wanted speed. A call that fails leaves the slider at the one in force. */
  async override(system: string, block: string, speed: number): Promise<void> {
    this.speed = speed;
    this.changing++;
    await this.app.attempt(async () => {
      await this.app.client.request("call", { system, ref: `${block}.override`, args: [speed] });
      this.inForce = speed;
    });
    if (--this.changing === 0) this.speed = this.inForce;
  }
}

/** Waits until a block has compiled a motion and begins it; rejects with the reason why it cannot. */
export async function begun(app: App, system: string, outcome: string): Promise<void> {
  for (;;) {
    const answer = await app.client.request("call", { system, ref: outcome, args: [] });
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer) && answer["begun"] === true) return;
    await new Promise((done) => setTimeout(done, pause));
  }
}
