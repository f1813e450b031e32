// Builds the shared page: one HTML file with scripts and styles inside, which package console/share embeds.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const folder = new URL("../share/dist", import.meta.url).pathname;

/** Puts script and styles into one page, whose policy allows this script only, and no network. */
function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post", // after the styles
    generateBundle(_, bundle) {
      let [script, style] = ["", ""];
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += String(part.source);
        else this.error(`${name} cannot be put into the page`);
        Reflect.deleteProperty(bundle, name); // nothing else is written
      }
      script = script.replaceAll("</script", "<\\/script");
      if (script === "" || style === "" || /<\/style/i.test(style)) this.error("the page has no script or no style, or a style that ends early");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "page.html.gz"), gzipSync(page(script, style), { level: constants.Z_BEST_COMPRESSION }));
    },
  };
}

function page(script: string, style: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; connect-src data: blob:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>sinew</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/octet-stream" id="run"></script>
<script type="module">${script}</script>
</body>
</html>
`;
}

export default defineConfig({
  plugins: [svelte(), onePage()],
  build: {
    target: "es2022",
    outDir: folder,
    emptyOutDir: false,
    cssCodeSplit: false,
    assetsInlineLimit: Infinity,
    chunkSizeWarningLimit: 2000,
    modulePreload: false,
    rolldownOptions: { input: "src/share/main.ts", output: { codeSplitting: false } },
  },
});
