import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type ProxyOptions } from "vite";

// With SINEW_CONSOLE=http://127.0.0.1:PORT the development server passes everything that is not a page on to a running console.
const server = process.env["SINEW_CONSOLE"];
const forward: ProxyOptions = { target: server ?? "", changeOrigin: true, ws: true };

export default defineConfig({
  plugins: [svelte()],
  build: { target: "es2022", emptyOutDir: true, chunkSizeWarningLimit: 900 },
  server: server ? { proxy: { "/api": forward, "/nats": forward, "/robot": forward } } : {},
});
