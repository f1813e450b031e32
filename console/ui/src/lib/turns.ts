/** Runs actions one after the other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs an action after the earlier ones have ended, whatever became of them. */
  run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.last.then(action);
    this.last = result.catch(() => undefined);
    return result;
  }
}
