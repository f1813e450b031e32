// The panel editor's state, with an undo history.

import type { Value } from "../../lib/wire";
import { kindOf } from "./kinds";
import { COLUMNS, freePlace, freshId, type Binding, type Panel, type Place, type Widget } from "./panel";

const mostSteps = 100; // in the undo history

export class PanelEditor {
  panel = $state.raw<Panel>({ title: "", widgets: [], rest: {} });
  /** Id of the selected widget; null: the panel itself. */
  selected = $state<number | null>(null);
  /** Whether there are unsaved changes. */
  changed = $state(false);
  private undoStack: Panel[] = [];
  private redoStack: Panel[] = [];

  readonly widget = $derived(this.panel.widgets.find((w) => w.id === this.selected) ?? null);

  open(panel: Panel): void {
    this.panel = panel;
    this.undoStack = [];
    this.redoStack = [];
    this.selected = null;
    this.changed = false;
  }

  rename(title: string): void {
    this.change({ ...this.panel, title });
  }

  /** Adds a widget at the first free place, with an optional binding. */
  add(type: string, binding?: Binding, title = ""): void {
    const kind = kindOf(type);
    if (kind === undefined) return;
    const [w, h] = kind.size;
    const role = kind.roles[0]?.name ?? "value";
    const { widgets } = this.panel;
    const widget: Widget = { id: freshId(widgets), type, title, at: freePlace(widgets, w, h), bind: binding === undefined ? {} : { [role]: binding }, options: kind.options ?? {} };
    this.change({ ...this.panel, widgets: [...widgets, widget] });
    this.selected = widget.id;
  }

  remove(id: number): void {
    this.change({ ...this.panel, widgets: this.panel.widgets.filter((w) => w.id !== id) });
    if (this.selected === id) this.selected = null;
  }

  duplicate(id: number): void {
    const { widgets } = this.panel;
    const from = widgets.find((w) => w.id === id);
    if (from === undefined) return;
    const copy = { ...from, id: freshId(widgets), at: freePlace(widgets, from.at.w, from.at.h) };
    this.change({ ...this.panel, widgets: [...widgets, copy] });
    this.selected = copy.id;
  }

  edit(id: number, change: Partial<Pick<Widget, "title" | "type">>): void {
    this.update(id, (w) => ({ ...w, ...change }));
  }

  /** Binds a role; null removes the binding. */
  bind(id: number, role: string, binding: Binding | null): void {
    this.update(id, (w) => {
      const { [role]: _, ...rest } = w.bind;
      return { ...w, bind: binding === null ? rest : { ...rest, [role]: binding } };
    });
  }

  /** Sets an option; undefined removes it. */
  option(id: number, key: string, value: Value | undefined): void {
    this.update(id, (w) => {
      const { [key]: _, ...rest } = w.options;
      return { ...w, options: value === undefined ? rest : { ...rest, [key]: value } };
    });
  }

  /** Takes over the places reported by the grid. */
  place(places: ReadonlyMap<number, Place>): void {
    const moved = this.panel.widgets.some((w) => !same(places.get(w.id) ?? w.at, w.at));
    if (moved) this.change({ ...this.panel, widgets: this.panel.widgets.map((w) => ({ ...w, at: places.get(w.id) ?? w.at })) });
  }

  /** Moves or resizes the selected widget by cells. */
  nudge(dx: number, dy: number, dw: number, dh: number): void {
    const id = this.selected;
    if (id === null) return;
    this.update(id, (w) => {
      const width = Math.max(1, Math.min(COLUMNS, w.at.w + dw));
      return { ...w, at: { x: Math.max(0, Math.min(COLUMNS - width, w.at.x + dx)), y: Math.max(0, w.at.y + dy), w: width, h: Math.max(1, w.at.h + dh) } };
    });
  }

  undo(): void {
    const before = this.undoStack.pop();
    if (before === undefined) return;
    this.redoStack.push(this.panel);
    this.panel = before;
    this.changed = true;
  }

  redo(): void {
    const after = this.redoStack.pop();
    if (after === undefined) return;
    this.undoStack.push(this.panel);
    this.panel = after;
    this.changed = true;
  }

  private update(id: number, change: (w: Widget) => Widget): void {
    this.change({ ...this.panel, widgets: this.panel.widgets.map((w) => (w.id === id ? change(w) : w)) });
  }

  private change(panel: Panel): void {
    this.undoStack = [...this.undoStack, this.panel].slice(-mostSteps);
    this.redoStack = [];
    this.panel = panel;
    this.changed = true;
  }
}

function same(a: Place, b: Place): boolean {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
}
