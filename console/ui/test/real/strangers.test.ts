// Access control: tokens, origins, host names.
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Site, type Run } from "./site";

const site = new Site();
let run: Run;

beforeAll(async () => {
  run = await site.run(site.janus());
});
afterAll(() => site.close());

/** Sends a request with arbitrary headers, which fetch does not allow. */
function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; cookie: string; body: string }> {
  const { hostname, port } = new URL(run.url);
  return new Promise((done, fail) => {
    httpRequest({ hostname, port, path, headers }, (answer) => {
      let body = "";
      answer.on("data", (d: Buffer) => (body += d.toString()));
      answer.on("end", () => done({ status: answer.statusCode ?? 0, cookie: (answer.headers["set-cookie"] ?? [])[0]?.split(";")[0] ?? "", body }));
    })
      .on("upgrade", () => done({ status: 101, cookie: "", body: "" }))
      .on("error", fail)
      .end();
  });
}

const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" };

test("without a valid token only the login page is served", async () => {
  const all = [await ask("/"), await ask("/?token=WRONGWRONGWRONGWRONGWRONG"), await ask("/api/session"), await ask("/nats", upgrade), await ask("/robot/x/robot/robot.urdf"), await ask("/assets/x.js")];
  expect(all.map((a) => a.status)).toEqual([401, 403, 401, expect.toSatisfy((s) => s === 401 || s === 403), 401, 401]);
  for (const { cookie, body } of all) {
    expect(cookie).toBe("");
    expect(body).not.toContain(new URL(run.url).searchParams.get("token"));
  }
});

test("a valid token sets a cookie; other origins are rejected even with the cookie", async () => {
  const { status, cookie } = await ask(new URL(run.url).pathname + new URL(run.url).search);
  expect([status, cookie]).toEqual([303, expect.stringMatching(/^sinew-\d+=./)]);
  expect((await ask("/api/session", { cookie })).status).toBe(200);
  expect((await ask("/api/session", { cookie, origin: "http://evil.example" })).status).toBe(403);
  expect((await ask("/api/session", { cookie, origin: "null" })).status).toBe(403);
  expect((await ask("/nats", { ...upgrade, cookie, origin: "http://evil.example" })).status).toBe(403);
  expect((await ask("/nats", { ...upgrade, cookie })).status).toBe(403);
  expect((await ask("/nats", { ...upgrade, cookie, origin: run.origin })).status).toBe(101);
});

test("an unknown host name is rejected", async () => {
  const { cookie } = await ask("/" + new URL(run.url).search);
  expect((await ask("/", { cookie, host: "evil.example" })).status).toBe(403);
});

test("only the robot's files are served", async () => {
  const { cookie } = await ask("/" + new URL(run.url).search);
  const name = site.name("janus");
  expect((await ask(`/robot/${name}/robot/robot.urdf`, { cookie })).body).toContain("<robot");
  for (const path of [`/robot/${name}/robot/..%2f..%2fexamples%2fjanus%2fjanus.yaml`, `/robot/${name}/robot/mesh/0/../../../../../etc/passwd`, "/..%2f..%2fetc/passwd", "/assets/..%2f..%2fgo.mod"]) {
    const { status, body } = await ask(path, { cookie });
    expect(status, path).not.toBe(200);
    expect(body).not.toContain("root:");
  }
});

test("repeated wrong tokens are throttled", async () => {
  const codes = new Set<number>();
  for (let i = 0; i < 40; i++) codes.add((await ask(`/?token=GUESS${i}GUESSGUESSGUESS`)).status);
  expect([...codes].sort()).toEqual([403, 429]);
});
