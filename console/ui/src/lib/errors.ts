// Caught errors.
import { RequestError } from "./client";

/** Returns the message of a caught value, which need not be an Error. */
export function messageOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}

/** Reports whether a save was rejected because the file has changed on disk since it was opened. */
export function isChangedOnDisk(e: unknown): boolean {
  return e instanceof RequestError && e.code === "changed_on_disk";
}
