// Blocks that are programs of their own.
import type { Port } from "./wire";

/** A program in another language; its ports cannot be read or set. */
export interface Foreign {
  name: string;
  process: string;
  ports: Pick<Port, "name" | "kind">[];
}
