// What the first page costs, and that nothing of the simulation or of a registry gets into what is shipped. Needs `npm run build`.
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const most = 250_000; // bytes of JavaScript, compressed

test("the first page needs less than 250 kB of JavaScript", async () => {
  const html = await readFile(`${root}dist/index.html`, "utf8");
  const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((m) => m[1] ?? "");
  expect(files.length).toBeGreaterThan(0);
  const seen = new Set<string>();
  const load = async (file: string): Promise<number> => {
    if (seen.has(file)) return 0;
    seen.add(file);
    const text = await readFile(`${root}dist/${file}`, "utf8");
    // static imports, and of the dynamic ones the pages: the first is one of them, take all but the heavy to be sure
    const imports = [...text.matchAll(/from\s*"\.\/([^"]+\.js)"|import\s*"\.\/([^"]+\.js)"/g)].map((m) => `assets/${m[1] ?? m[2]}`);
    let size = gzipSync(text).length;
    for (const i of imports) size += await load(i);
    return size;
  };
  let total = 0;
  for (const f of files) total += await load(f);
  const net = (await readdir(`${root}dist/assets`)).filter((f) => /^LivePage.*\.js$|^Page.*\.js$/.test(f));
  const pages = await Promise.all(net.map(async (f) => gzipSync(await readFile(`${root}dist/assets/${f}`)).length));
  console.log(`first page: ${total} bytes, the largest page ${Math.max(0, ...pages)}`);
  expect(total).toBeLessThan(most);
});

test("nothing simulated is shipped", async () => {
  for (const f of await readdir(`${root}dist/assets`)) {
    if (f.endsWith(".js")) expect(await readFile(`${root}dist/assets/${f}`, "utf8"), f).not.toContain("sinewMock");
  }
});

test("nothing is loaded from elsewhere", async () => {
  const html = await readFile(`${root}dist/index.html`, "utf8");
  expect(html.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:\/\//);
});

test("the lock file names no registry", async () => {
  expect(await readFile(`${root}package-lock.json`, "utf8")).not.toMatch(/"resolved"/);
});
