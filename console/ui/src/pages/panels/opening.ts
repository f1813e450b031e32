// The opening of a panel, which is asked for twice when one is created: by the button and by the changed address.

/** Opens one thing at a time: each once, and the one asked for last. */
export class Opening {
  private latest: { key: string; done: Promise<void> } | null = null;

  /**
   * Opens what a key names; while that goes on, the same key only waits for it. The function given to open reports whether no other
   * key was asked for meanwhile; if one was, what has been read is out of date.
   */
  run(key: string, open: (latest: () => boolean) => Promise<void>): Promise<void> {
    if (this.latest?.key === key) return this.latest.done;
    const mine = { key, done: Promise.resolve() };
    this.latest = mine;
    mine.done = open(() => this.latest === mine).finally(() => {
      if (this.latest === mine) this.latest = null;
    });
    return mine.done;
  }
}
