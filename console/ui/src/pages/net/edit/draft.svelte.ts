// A file while it is edited: its text, every step of it, and what is on the disk. What is not saved outlives the page until the tab is closed.
import type { NetText } from "../../../lib/wire";
import { read } from "./netfile";

const mostSteps = 500; // to be undone

export class Draft {
  readonly path: string;
  text = $state("");
  saved = $state("");
  private version: string;
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);

  readonly file = $derived.by(() => read(this.text, this.prefix));
  readonly savedFile = $derived.by(() => read(this.saved, this.prefix));
  readonly dirty = $derived(this.text !== this.saved);
  readonly canUndo = $derived(this.past.length > 0);
  readonly canRedo = $derived(this.future.length > 0);
  /** Its text comes from an earlier visit of the page, and was never saved. */
  readonly goesOn: boolean;

  constructor(
    private readonly system: string,
    net: NetText,
    /** what stands before the names of its blocks in the system; undefined where that are several things */
    readonly prefix: string | undefined,
  ) {
    this.path = net.file;
    this.version = net.version;
    this.text = this.saved = net.text;
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null") as { text: string; version: string } | null;
    this.goesOn = kept !== null && kept.text !== net.text;
    if (kept && this.goesOn) ({ text: this.text, version: this.version } = kept);
  }

  /** Makes a text the present one; the one before can be had back. */
  apply(text: string): boolean {
    if (text === this.text) return false;
    this.past = [...this.past, this.text].slice(-mostSteps);
    this.future = [];
    this.turnTo(text);
    return true;
  }

  undo(): void {
    const before = this.past.at(-1);
    if (before === undefined) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.text];
    this.turnTo(before);
  }

  redo(): void {
    const next = this.future.at(-1);
    if (next === undefined) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.text];
    this.turnTo(next);
  }

  /** Forgets what is not saved, so that the file can be read anew. */
  forget(): void {
    sessionStorage.removeItem(this.key);
  }

  /** What is to be written, and over what. */
  get writing(): { file: string; text: string; version: string } {
    return { file: this.path, text: this.text, version: this.version };
  }

  /** It was written, and is now so. */
  written(net: NetText): void {
    this.version = net.version;
    this.saved = net.text;
    this.turnTo(net.text);
  }

  private turnTo(text: string): void {
    this.text = text;
    if (text === this.saved) this.forget();
    else sessionStorage.setItem(this.key, JSON.stringify({ text, version: this.version }));
  }

  private get key(): string {
    return `sinew.draft.${this.system}:${this.path}`;
  }
}
