// The plots on the page with what they show: draws all of them in a frame, and moves the pointer's line in all of them.

import type { Plot } from "./plot";
import type { Scope } from "./scope.svelte";
import type { View } from "./view";

export class Pictures {
  /** The contents of the plots, from top to bottom. */
  views: readonly View[] = [];
  private readonly plots = new Map<number, Plot>();

  constructor(private readonly scope: Scope) {}

  /** Adds the plot of a pane until the returned function is called. */
  add(id: number, plot: Plot): () => void {
    this.plots.set(id, plot);
    return () => this.plots.delete(id);
  }

  /** The plots from top to bottom. */
  get inOrder(): Plot[] {
    return this.scope.layout.panes.flatMap((p) => this.plots.get(p.id) ?? []);
  }

  /** Returns what a pane's plot shows; null before the first frame. */
  view(id: number): View | null {
    return this.views[this.scope.layout.panes.findIndex((p) => p.id === id)] ?? null;
  }

  /** Draws all plots; now in ms. */
  draw(now: number): void {
    const { panes } = this.scope.layout;
    const columns = Math.max(1, ...this.inOrder.map((p) => p.columns));
    this.views = this.scope.picture(columns, now);
    const over = this.views.filter((v) => v.kind === "time");
    const right = Math.max(0, ...over.map((v) => v.ranges.size - 1));
    panes.forEach((pane, i) => {
      const view = this.views[i];
      if (view === undefined) return;
      const bottom = view.kind !== "time" || view === over.at(-1);
      this.plots.get(pane.id)?.draw(view, { bottom, right: view.kind === "time" ? right : 0 });
    });
  }

  /** Shows a time in all plots over time; null: none. */
  point(time: number | null): void {
    this.views.forEach((view, i) => {
      if (view.kind === "time") this.plots.get(this.scope.layout.panes[i]?.id ?? 0)?.point(time);
    });
  }

  resize(): void {
    for (const plot of this.plots.values()) plot.resize();
  }

  recolour(): void {
    for (const plot of this.plots.values()) plot.recolour();
  }
}
