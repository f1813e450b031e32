import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Unit tests lie beside what they test; tests in a browser lie in test/ and need `npm run build:mock` first; those of the real
// console, with systems that run, lie in test/real/ and need `npm run build` first.
const retry = 2; // hands and eyes of a browser on a machine that does other things, too: what fails must fail three times

export default defineConfig({
  plugins: [svelte()],
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        test: { name: "browser", include: ["test/*.test.ts"], environment: "node", testTimeout: 30_000, hookTimeout: 60_000, fileParallelism: false, retry },
      },
      {
        extends: true,
        test: { name: "real", include: ["test/real/*.test.ts"], environment: "node", testTimeout: 30_000, hookTimeout: 30_000, globalSetup: "test/real/build.ts", retry },
      },
      { extends: true, test: { name: "shots", include: ["test/shots.ts"], environment: "node" } },
    ],
  },
});
