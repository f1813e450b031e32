import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Unit tests are beside the code; browser tests are in test/ and need `npm run build:mock` first; tests of the real console with
// running systems are in test/real/ and need `npm run build` first.
const retry = 2; // browser timing varies on a busy machine: a test fails only if it fails three times

export default defineConfig({
  plugins: [svelte()],
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        test: { name: "browser", include: ["test/*.test.ts"], environment: "node", testTimeout: 120_000, hookTimeout: 120_000, retry },
      },
      {
        extends: true,
        test: { name: "real", include: ["test/real/*.test.ts"], environment: "node", testTimeout: 300_000, hookTimeout: 120_000, globalSetup: "test/real/build.ts", retry },
      },
      { extends: true, test: { name: "shots", include: ["test/shots.ts"], environment: "node" } },
      { extends: true, test: { name: "pictures", include: ["test/pictures.ts"], environment: "node", hookTimeout: 60_000, globalSetup: "test/real/build.ts" } },
    ],
  },
});
