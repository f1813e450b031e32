// The panels of a system while its net is edited: their references follow renamed blocks and dissolved groups when the file is saved.
import type { Client } from "../../../lib/client";
import { splitElements } from "../../../lib/elements";
import { messageOf } from "../../../lib/errors";
import { panelRefs, moveInPanel, isOf } from "./panelrefs";
import { movedRef, type Moves } from "./renamed";

interface PanelFile {
  yaml: string;
  version: string;
}

/** Reads the files of all panels, by name. */
export async function readPanels(client: Client, system: string): Promise<Map<string, PanelFile>> {
  const names = await client.request("panels.list", { system });
  return new Map(await Promise.all(names.map(async (name): Promise<[string, PanelFile]> => [name, await client.request("panels.get", { system, name })])));
}

/** Describes the references that follow renamed blocks and dissolved groups: "panel tune: pid1 → control.pid1". */
export function followingNotes(panels: ReadonlyMap<string, PanelFile>, moves: Moves): string[] {
  const notes: string[] = [];
  const { blocks } = moves;
  for (const [name, { yaml }] of panels) {
    const refs = blocks.size + moves.ports.size > 0 ? panelRefs(yaml) : [];
    const renamed = [...blocks].filter(([old]) => refs.some((r) => isOf(r, old)) && ![...blocks.keys()].some((inner) => inner.startsWith(old + ".")));
    const ports = refs.filter((r) => moves.ports.has(splitElements(r).port)).map((r): [string, string] => [r, movedRef(moves, r)]);
    const changes = [...renamed, ...ports].filter(([old, now]) => old !== now);
    if (changes.length > 0) notes.push(`panel ${name}: ${changes.map(([old, now]) => `${old} → ${now}`).join(", ")}`);
  }
  return notes;
}

/** Updates the panels for renamed blocks and dissolved groups. Rejects with the panels that could not be written. */
export async function moveInPanels(client: Client, system: string, moves: Moves): Promise<void> {
  if (moves.blocks.size + moves.ports.size === 0) return;
  const failed: string[] = [];
  for (const [name, { yaml, version }] of await readPanels(client, system)) {
    const now = moveInPanel(yaml, moves);
    if (now === yaml) continue;
    await client.request("panels.put", { system, name, yaml: now, version }).catch((e: unknown) => failed.push(`${name}: ${messageOf(e)}`));
  }
  if (failed.length > 0) throw new Error(`The file is saved, but panels still use the old names of blocks: ${failed.join("; ")}`);
}
