// The plots of the page, one below the other. A signal is drawn in at most one plot over time, and in any number of XY plots
// and spectra.

import type { Range } from "./axes";

export type PaneKind = "time" | "xy" | "spectrum";

/** A plot. */
export interface Pane {
  id: number;
  kind: PaneKind;
  /** names of its signals; the first of an XY plot is its horizontal axis */
  names: readonly string[];
  /** frequencies shown by a spectrum, in Hz; null: all */
  band: Range | null;
}

/** Most plots at a time. */
export const MOST_PANES = 8;

/** Names of the kinds, for menus. */
export const KINDS: Readonly<Record<PaneKind, string>> = { time: "Over time", xy: "XY", spectrum: "Spectrum" };

const FIRST: readonly Pane[] = [{ id: 1, kind: "time", names: [], band: null }];

export class Layout {
  panes = $state.raw<readonly Pane[]>(FIRST);
  /** Id of the plot that new signals go to. */
  current = $state(1);

  /** Returns stored plots as they can be shown: with at least one over time, and all and only the given signals. */
  restore(stored: unknown, names: readonly string[]): void {
    const valid = Array.isArray(stored) ? (stored as (Partial<Pane> | null)[]).flatMap(restorePane).slice(0, MOST_PANES) : [];
    const all = valid.some((p) => p.kind === "time") ? valid : [...FIRST, ...valid].slice(0, MOST_PANES);
    this.panes = all.map((p, i) => ({ ...p, id: i + 1, names: p.names.filter((n) => names.includes(n)) }));
    this.current = this.over[0]?.id ?? 1;
    for (const name of names) if (!this.shows(name)) this.put(name, this.current);
  }

  /** Adds a plot of some signals at the end. Returns why it cannot be added; "" if it was. */
  add(kind: PaneKind, names: readonly string[] = []): string {
    if (this.panes.length >= MOST_PANES) return `Limit: ${MOST_PANES} plots. Remove one first.`;
    const id = Math.max(...this.panes.map((p) => p.id)) + 1;
    this.panes = [...this.panes, { id, kind, names: [], band: null }];
    for (const name of names) this.put(name, id);
    this.current = id;
    return "";
  }

  /** Removes a plot. The last one over time stays. */
  remove(id: number): void {
    const gone = this.panes.find((p) => p.id === id);
    if (gone === undefined || !this.removable(gone)) return;
    this.panes = this.panes.filter((p) => p.id !== id);
    if (this.current === id) this.current = this.over[0]?.id ?? 1;
  }

  /** Reports whether a plot can be removed. */
  removable(pane: Pane): boolean {
    return pane.kind !== "time" || this.over.length > 1;
  }

  /** Moves a plot up (-1) or down (1). */
  move(id: number, step: -1 | 1): void {
    const from = this.panes.findIndex((p) => p.id === id);
    const moved = [...this.panes];
    const [pane, other] = [moved[from], moved[from + step]];
    if (pane === undefined || other === undefined) return;
    [moved[from], moved[from + step]] = [other, pane];
    this.panes = moved;
  }

  /** Shows a signal in a plot; a plot over time takes it from the one that has it. */
  put(name: string, id: number): void {
    const pane = this.panes.find((p) => p.id === id);
    if (pane === undefined || pane.names.includes(name)) return;
    this.panes = this.panes.map((p) => {
      if (p.id === id) return { ...p, names: [...p.names, name] };
      return pane.kind === "time" && p.kind === "time" ? without(p, name) : p;
    });
    this.current = id;
  }

  /** Moves a signal to the plot over time above (-1) or below (1). */
  shift(name: string, step: -1 | 1): void {
    const to = this.over[this.over.findIndex((p) => p.names.includes(name)) + step];
    if (to !== undefined && this.shows(name)) this.put(name, to.id);
  }

  /** Removes a signal from a plot, or from all. */
  take(name: string, id?: number): void {
    this.panes = this.panes.map((p) => (id === undefined || p.id === id ? without(p, name) : p));
  }

  /** Makes a signal the horizontal axis of an XY plot. */
  lead(name: string, id: number): void {
    this.panes = this.panes.map((p) => (p.id === id ? { ...p, names: [name, ...p.names.slice(1).filter((n) => n !== name)] } : p));
  }

  /** Shows a band of frequencies in a spectrum; null: all. */
  setBand(id: number, band: Range | null): void {
    this.panes = this.panes.map((p) => (p.id === id ? { ...p, band } : p));
  }

  /** Reports whether a plot shows a signal. */
  shows(name: string): boolean {
    return this.panes.some((p) => p.names.includes(name));
  }

  /** Plots over time. */
  private get over(): Pane[] {
    return this.panes.filter((p) => p.kind === "time");
  }
}

function without(pane: Pane, name: string): Pane {
  return pane.names.includes(name) ? { ...pane, names: pane.names.filter((n) => n !== name) } : pane;
}

function restorePane(stored: Partial<Pane> | null): Pane[] {
  const { kind, names, band } = stored ?? {};
  if (kind === undefined || !(kind in KINDS) || !Array.isArray(names)) return [];
  return [{ id: 0, kind, names: names as string[], band: band ?? null }];
}
