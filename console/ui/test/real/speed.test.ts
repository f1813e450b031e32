// How quick the first page is, what it costs to load, and what 1,000 signals cost the server.
import { afterAll, beforeAll, expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { pause, Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let run: Run;

beforeAll(async () => {
  [run, browser] = await Promise.all([site.run(site.system("many.yaml", many())), launch()]);
});
afterAll(() => leave(site, browser));

const signals = 1000;
const rate = 60; // frames a second

/** A thousand numbers, new 100 times a second. */
function many(): string {
  return `system: many
threads:
  main: {period: 10ms}
blocks:
  wave: {type: flow.Wave, thread: main}
  mux: {type: flow.Mux, thread: main, params: {n: 2}}
${Array.from({ length: signals }, (_, i) => `  w${i}: {type: flow.Wave, thread: main, params: {frequency: ${(i % 10) + 1}}}`).join("\n")}
links:
  - wave.out -> mux.in1
  - w0.out -> mux.in2
`;
}

test("the first page is there soon, with less than 250 kB of script", async () => {
  const operator = await Operator.at(browser, run);
  const sizes: number[] = [];
  operator.page.on("response", async (r) => {
    if (r.url().endsWith(".js")) sizes.push(gzipSync(await r.body()).length);
  });
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    await operator.page.goto(`${run.origin}/?visit=${i}#/net`, { waitUntil: "commit" });
    await operator.page.locator(".reader li").first().waitFor({ state: "attached" });
    times.push(performance.now() - begin);
  }
  const kilobytes = sizes.reduce((a, b) => a + b, 0) / 3 / 1000;
  console.log(`first page: ${times.map((t) => t.toFixed(0)).join(", ")} ms until the net is drawn; ${kilobytes.toFixed(0)} kB of script, compressed`);
  expect(Math.min(...times)).toBeLessThan(3000);
  expect(kilobytes).toBeGreaterThan(10);
  expect(kilobytes).toBeLessThan(250);
  await operator.close();
});

test("1,000 signals that are asked for 60 times a second come in frames", async () => {
  const operator = await Operator.at(browser, run);
  await operator.go("panels"); // a page that watches nothing
  const share = async (): Promise<number> => {
    const [cpu, time] = [run.cpuSeconds(), performance.now()];
    await pause(3_000);
    return (100 * 1000 * (run.cpuSeconds() - cpu)) / (performance.now() - time);
  };
  const idle = await share();
  const ends = operator.page.evaluate(countFrames, { system: site.name("many"), refs: Array.from({ length: signals }, (_, i) => `w${i}.out`), rate, ms: 5_000 });
  await pause(1_000);
  const busy = await share();
  const { frames, bytes, samples } = await ends;
  console.log(`1,000 signals: ${(frames / 5).toFixed(0)} frames, ${(bytes / 5e6).toFixed(1)} MB and ${(samples / 5 / signals).toFixed(0)} samples of each a second; the server takes ${busy.toFixed(0)} % of a core, ${idle.toFixed(0)} % without`);
  expect(frames).toBeGreaterThan(25);
  expect(samples).toBeGreaterThan(20 * signals);
  await operator.close();
});

/** Runs in the page: a line of its own to the server, which only counts what comes. */
async function countFrames({ system, refs, rate, ms }: { system: string; refs: string[]; rate: number; ms: number }): Promise<{ frames: number; bytes: number; samples: number }> {
  const { nats } = (await (await fetch("/api/session")).json()) as { nats: { path: string; user: string; pass: string } };
  const socket = new WebSocket(location.origin.replace("http", "ws") + nats.path);
  socket.binaryType = "arraybuffer";
  const counted = { frames: 0, bytes: 0, samples: 0 };
  const text = new TextDecoder();
  let got = "";
  socket.onmessage = (m) => {
    got += text.decode(m.data as ArrayBuffer, { stream: true });
    for (;;) {
      const line = got.indexOf("\r\n");
      if (line < 0) return;
      const [verb, subject = "", ...rest] = got.slice(0, line).split(" ");
      const end = line + 2 + (verb === "MSG" ? Number(rest.at(-1)) + 2 : 0);
      if (got.length < end) return;
      if (verb === "PING") socket.send("PONG\r\n");
      if (subject.includes(".frame.")) {
        counted.frames++;
        counted.bytes += end;
        for (const [, times] of (JSON.parse(got.slice(line + 2, end)) as { s: [number, number[]][] }).s) counted.samples += times.length;
      }
      got = got.slice(end);
    }
  };
  await new Promise((done) => (socket.onopen = done));
  const asked = JSON.stringify({ system, signals: refs.map((ref) => ({ ref })), rate });
  const connect = JSON.stringify({ user: nats.user, pass: nats.pass, verbose: false, pedantic: false, lang: "test", version: "1", protocol: 1, headers: true, no_responders: true });
  socket.send(`CONNECT ${connect}\r\nSUB c.${nats.user}.frame.* 1\r\nSUB _INBOX.${nats.user}.> 2\r\nPUB c.${nats.user}.watch _INBOX.${nats.user}.1 ${asked.length}\r\n${asked}\r\n`);
  await new Promise((done) => setTimeout(done, ms));
  socket.close();
  return counted;
}
