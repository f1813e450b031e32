import { availableParallelism } from "node:os";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { patience } from "./test/patience.ts";

// Unit tests are beside the code; browser tests are in test/ and need `npm run build:mock` first; tests of the real console with
// running systems are in test/real/, measurements in test/measure/; both need `npm run build` first.

// Tests of pages wait for states. A test may wait for several, so that its own bound is longer. Failed files are run again by
// internal/gate, not failed tests here: what went before would be in their way.
const patient = { environment: "node", testTimeout: 5 * patience, hookTimeout: 5 * patience, expect: { poll: { timeout: patience } } } as const;

// What is started once for all files of a project.
const browser = "test/chromium.ts";
const programs = "test/real/build.ts";

// A worker's browser and systems keep two processors busy.
const maxWorkers = Math.max(1, Math.floor(availableParallelism() / 2));

export default defineConfig({
  plugins: [svelte()],
  test: {
    maxWorkers,
    projects: [
      { extends: true, test: { ...patient, name: "unit", include: ["src/**/*.test.ts"] } },
      { extends: true, test: { ...patient, name: "browser", include: ["test/*.test.ts"], globalSetup: browser } },
      { extends: true, test: { ...patient, name: "real", include: ["test/real/*.test.ts"], globalSetup: [browser, programs] } },
      { extends: true, test: { ...patient, name: "measure", include: ["test/measure/*.test.ts"], globalSetup: [browser, programs] } },
      { extends: true, test: { name: "shots", include: ["test/shots.ts"], environment: "node", globalSetup: browser } },
      { extends: true, test: { ...patient, name: "pictures", include: ["test/pictures.ts", "test/realshots.ts", "test/gallery.ts"], globalSetup: [browser, programs] } },
    ],
  },
});
