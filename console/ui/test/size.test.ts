// The size of the first page on the wire, and what the production build must not contain. Needs `npm run build`.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const most = 90_000; // bytes of JavaScript on the wire

/** Returns the names of all built scripts, without the ending of their coding. */
async function scripts(): Promise<string[]> {
  return (await readdir(`${root}dist/assets`)).filter((f) => f.endsWith(".js.br")).map((f) => f.slice(0, -3));
}

async function textOf(asset: string): Promise<string> {
  return brotliDecompressSync(await readFile(`${root}dist/${asset}.br`)).toString();
}

/** Returns what the entry page loads before the page Net is drawn, in the order of its imports. */
async function firstScripts(): Promise<Set<string>> {
  const html = await readFile(`${root}dist/index.html`, "utf8");
  const seen = new Set<string>();
  const load = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const m of (await textOf(file)).matchAll(/from\s*"\.\/([^"]+\.js)"|import\s*"\.\/([^"]+\.js)"/g)) await load(`assets/${m[1] ?? m[2]}`);
  };
  for (const m of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) await load(m[1] ?? "");
  return seen;
}

test("the first script is at most 90 kB on the wire, in both codings", async () => {
  const files = [...(await firstScripts())];
  expect(files.length).toBeGreaterThan(0);
  for (const ending of [".br", ".gz"]) {
    const sizes = await Promise.all(files.map(async (f) => (await readFile(`${root}dist/${f}${ending}`)).length));
    const total = sizes.reduce((a, b) => a + b, 0);
    console.log(`first script: ${total} bytes as ${ending}`);
    expect(total).toBeLessThanOrEqual(most);
  }
});

test("each asset is built in both codings, with the same content, and not plain", async () => {
  const folder = `${root}dist/assets/`;
  const names = await readdir(folder);
  expect(names.filter((f) => !/\.(br|gz)$/.test(f))).toEqual([]);
  for (const f of names.filter((n) => n.endsWith(".br"))) {
    const packed = `${folder}${f.slice(0, -3)}.gz`;
    expect(existsSync(packed), packed).toBe(true);
    expect(brotliDecompressSync(await readFile(folder + f)).equals(gunzipSync(await readFile(packed))), f).toBe(true);
  }
});

test("the build does not contain the simulation", async () => {
  for (const f of await scripts()) expect(await textOf(`assets/${f}`), f).not.toContain("sinewMock");
});

test("the page loads nothing from other servers", async () => {
  const html = await readFile(`${root}dist/index.html`, "utf8");
  expect(html.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:\/\//);
});

test("the lock file does not name a registry", async () => {
  expect(await readFile(`${root}package-lock.json`, "utf8")).not.toMatch(/"resolved"/);
});
