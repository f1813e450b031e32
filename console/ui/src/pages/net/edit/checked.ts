// Asks the console what is wrong with a system if one of its files has a new text, and what may not be wanted.
import type { Client } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { faultOf, type Fault } from "./places";

export interface Checked {
  faults: Fault[];
  notices: Fault[];
}

/** Checks an edited file. A failure of the check itself is a fault without a place. */
export async function checked(client: Client, system: string, file: string, text: string): Promise<Checked> {
  try {
    const found = await client.request("net.check", { system, file, text });
    return { faults: (found.errors ?? []).map((e) => faultOf(e, file)), notices: (found.notices ?? []).map((e) => faultOf(e, file)) };
  } catch (e) {
    return { faults: [{ file: "", line: 0, column: 0, text: messageOf(e) }], notices: [] };
  }
}
