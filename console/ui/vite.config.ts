import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

// With SINEW_CONSOLE=http://127.0.0.1:PORT the development server forwards all requests except pages to a running console.
const server = process.env["SINEW_CONSOLE"];
const forward: ProxyOptions = { target: server ?? "", changeOrigin: true, ws: true };

/** Replaces each built asset X by X.br and X.gz, which console/pages.go serves. */
function compress(): Plugin {
  let folder = "";
  return {
    name: "compress",
    apply: (_, { command, mode }) => command === "build" && mode === "production",
    configResolved: (config) => void (folder = join(config.root, config.build.outDir, config.build.assetsDir)),
    closeBundle() {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        const data = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
        writeFileSync(`${file}.br`, brotliCompressSync(data, { params }));
        writeFileSync(`${file}.gz`, gzipSync(data, { level: constants.Z_BEST_COMPRESSION }));
        rmSync(file);
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), compress()],
  resolve: { alias: { "@nats-io/nkeys": join(import.meta.dirname, "src/lib/nkeys.ts") } },
  build: {
    target: "es2022",
    emptyOutDir: true,
    chunkSizeWarningLimit: 900,
    // What most pages need is one file: each costs a request and its headers. The first page needs nothing of three.js.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "common", minShareCount: 6, test: (id) => !id.includes("/node_modules/three/") }] } } },
  },
  server: server ? { proxy: { "/api": forward, "/nats": forward, "/robot": forward, "/share": forward } } : {},
});
