// Builds the programs for the tests of the real console: sinew with the pages of `npm run build`, and the walker.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** folder with the programs sinew and walker */
    programs: string;
  }
}

export const root = new URL("../../../..", import.meta.url).pathname;

/** Builds the programs; with SINEW_PROGRAMS=FOLDER it uses those in the folder. */
export default function setup(project: TestProject): (() => void) | undefined {
  const given = process.env["SINEW_PROGRAMS"];
  if (given) {
    project.provide("programs", given);
    return undefined;
  }
  if (!existsSync(join(root, "console/ui/dist/index.html"))) throw new Error("console/ui/dist has no pages: run make ui first");
  const folder = mkdtempSync(join(tmpdir(), "sinew-programs-"));
  for (const [name, source] of [["sinew", "./cmd/sinew"], ["walker", "./examples/walker"]] as const) {
    execFileSync("go", ["build", "-o", join(folder, name), source], { cwd: root, stdio: "inherit" });
  }
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true });
}
