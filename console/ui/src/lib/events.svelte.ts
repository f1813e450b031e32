// The newest events of all systems, in bounded memory.
import type { Link } from "./link";
import type { ConsoleEvent } from "./wire";

const most = 2_000;

export interface Entry extends ConsoleEvent {
  /** counts up; a key for lists */
  n: number;
  date: Date;
}

export class Events {
  /** Oldest first. */
  list = $state.raw<Entry[]>([]);
  private n = 0;
  private waiting: Entry[] = [];

  constructor(link: Link) {
    link.onEvent((e) => {
      this.waiting.push({ ...e, n: this.n++, date: date(e.time) });
      if (this.waiting.length === 1) setTimeout(() => this.show(), 100); // a flood becomes ten updates a second
    });
  }

  private show(): void {
    this.list = [...this.list, ...this.waiting].slice(-most);
    this.waiting = [];
  }
}

function date(time: string | number): Date {
  return typeof time === "number" ? new Date(time / 1e6) : new Date(time);
}
