// Sends the force of a push to an input of the simulator: five times a second while the push lasts, one request at a time. The
// simulator's thread releases the input a second after the last request, so that the force ends with a lost page or connection.

type Force = [number, number, number];

const pause = 200; // ms between requests
const lease = 1; // s without a request until the input is released

/** The value that reaches the simulator's input. */
export interface PushedInput {
  /** Overrides the input with a force in N for some seconds. */
  feed(force: Force, seconds: number): Promise<unknown>;
  /** Ends the override. */
  release(): Promise<unknown>;
  /** Receives the error of a failed request. */
  failed(e: unknown): void;
}

export class Pusher {
  private force: Force | null = null; // of the push that lasts
  private working = false;
  private wake: () => void = () => undefined; // ends the pause

  constructor(private readonly input: PushedInput) {}

  /** Sets the force in N; null ends the push. */
  push(force: Force | null): void {
    this.force = force?.map((f) => Math.round(f * 10) / 10) as Force | undefined ?? null;
    if (force === null) this.wake();
    else if (!this.working) void this.work();
  }

  private async work(): Promise<void> {
    this.working = true;
    while (this.force !== null) {
      await this.attempt(this.input.feed(this.force, lease));
      // The force can have ended meanwhile.
      if (this.force !== null) await new Promise<void>((done) => {
        this.wake = done;
        setTimeout(done, pause);
      });
      if (this.force === null) await this.attempt(this.input.release());
    }
    this.working = false;
  }

  private async attempt(request: Promise<unknown>): Promise<void> {
    try {
      await request;
    } catch (e) {
      this.input.failed(e);
    }
  }
}
