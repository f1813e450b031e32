// The optional parts of the robot's picture: their switches and keys, and the user's choice, stored in the browser.

import type { Shapes } from "./colliders";

/** Which shapes and optional parts are drawn. */
export interface Layers {
  shapes: Shapes;
  grid: boolean;
  ghost: boolean;
  frames: boolean;
  mass: boolean;
  contacts: boolean;
  trail: boolean;
  distances: boolean;
}

/** Label and key of each layer. */
export const layerSwitches: { key: Exclude<keyof Layers, "shapes">; letter: string; text: string }[] = [
  { key: "ghost", letter: "g", text: "Desired pose" },
  { key: "frames", letter: "f", text: "Frames" },
  { key: "mass", letter: "m", text: "Centre of mass" },
  { key: "contacts", letter: "k", text: "Contact forces" },
  { key: "trail", letter: "t", text: "Tool path" },
  { key: "distances", letter: "d", text: "Distances" },
  { key: "grid", letter: "h", text: "Floor grid" },
];

const storageKey = "sinew.robot.shows";

/** Returns the user's choice; the default if there is none. */
export function loadLayers(): Layers {
  const all: Layers = { shapes: "visual", grid: true, ghost: true, frames: false, mass: true, contacts: true, trail: false, distances: false };
  try {
    return { ...all, ...(JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Layers>) };
  } catch {
    return all;
  }
}

export function saveLayers(layers: Layers): void {
  localStorage.setItem(storageKey, JSON.stringify(layers));
}
