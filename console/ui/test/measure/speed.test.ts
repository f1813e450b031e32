// The server's load with 1,000 signals.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "../real/operator";
import { pause, Site, type Run } from "../real/site";

const site = new Site();
let browser: Browser;
let run: Run;

beforeAll(async () => {
  [run, browser] = await Promise.all([site.run(site.system("many.yaml", many())), launch()]);
});
afterAll(() => leave(site, browser));

const signals = 1000;
const rate = 60; // frames a second

/** Returns a system with a thousand numbers at 100 Hz. */
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

test("1,000 signals are delivered, 60 frames a second where the machine can", async () => {
  const operator = await Operator.at(browser, run);
  await operator.go("panels"); // a page without watches
  const share = async (): Promise<number> => {
    const [cpu, time] = [run.cpuSeconds(), performance.now()];
    await pause(3_000);
    return (100 * 1000 * (run.cpuSeconds() - cpu)) / (performance.now() - time);
  };
  const idle = await share();
  const ends = operator.page.evaluate(countFrames, { system: site.name("many"), refs: Array.from({ length: signals }, (_, i) => `w${i}.out`), rate, least: 60 });
  await pause(1_000);
  const busy = await share();
  const { frames, bytes, samples, seconds } = await ends;
  console.log(`1,000 signals: ${(frames / seconds).toFixed(0)} frames, ${(bytes / seconds / 1e6).toFixed(1)} MB and ${(samples / seconds / signals).toFixed(0)} samples of each a second; the server uses ${busy.toFixed(0)} % of a core, ${idle.toFixed(0)} % without`);
  expect(samples).toBeGreaterThan(20 * signals);
  await operator.close();
});

/** Runs in the page: opens a separate connection to the server and counts frames, for 5 s and until there are enough. */
async function countFrames({ system, refs, rate, least }: { system: string; refs: string[]; rate: number; least: number }): Promise<{ frames: number; bytes: number; samples: number; seconds: number }> {
  const { nats } = (await (await fetch("/api/session")).json()) as { nats: { path: string; user: string; pass: string } };
  const socket = new WebSocket(location.origin.replace("http", "ws") + nats.path);
  socket.binaryType = "arraybuffer";
  const counted = { frames: 0, bytes: 0, samples: 0 };
  const text = new TextDecoder();
  let received = "";
  socket.onmessage = (m) => {
    received += text.decode(m.data as ArrayBuffer, { stream: true });
    for (;;) {
      const line = received.indexOf("\r\n");
      if (line < 0) return;
      const [verb, subject = "", ...rest] = received.slice(0, line).split(" ");
      const end = line + 2 + (verb === "MSG" ? Number(rest.at(-1)) + 2 : 0);
      if (received.length < end) return;
      if (verb === "PING") socket.send("PONG\r\n");
      if (subject.includes(".frame.")) {
        counted.frames++;
        counted.bytes += end;
        for (const [, times] of (JSON.parse(received.slice(line + 2, end)) as { s: [number, number[]][] }).s) counted.samples += times.length;
      }
      received = received.slice(end);
    }
  };
  await new Promise((done) => (socket.onopen = done));
  const asked = JSON.stringify({ system, signals: refs.map((ref) => ({ ref })), rate });
  const connect = JSON.stringify({ user: nats.user, pass: nats.pass, verbose: false, pedantic: false, lang: "test", version: "1", protocol: 1, headers: true, no_responders: true });
  socket.send(`CONNECT ${connect}\r\nSUB c.${nats.user}.frame.* 1\r\nSUB _INBOX.${nats.user}.> 2\r\nPUB c.${nats.user}.watch _INBOX.${nats.user}.1 ${asked.length}\r\n${asked}\r\n`);
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  while (seconds() < 5 || counted.frames < least) await new Promise((done) => setTimeout(done, 100));
  socket.close();
  return { ...counted, seconds: seconds() };
}
