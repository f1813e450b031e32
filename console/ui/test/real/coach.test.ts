// The coach's port: what programs set over TCP is seen on the page Robot, and answered.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { launch } from "../browser";
import { leave, Operator } from "./operator";
import { Site, type Run } from "./site";

const site = new Site();
let browser: Browser;
let janus: Operator;
let still: Operator;
let [toJanus, toStill]: Program[] = [];

// The same robot in a system that does not move it.
const stillFile = `system: still
threads: {main: {period: 10ms}}
blocks:
  generator: {type: servo.Generator, params: {n: 2}}
  reference: {type: servo.BridgeRef, params: {n: 2}}
  model: {type: servo.InverseDynamics, params: {urdf: ../../models/janus/janus.urdf}}
links: [generator.position -> reference.position, generator.velocity -> reference.velocity, generator.acceleration -> reference.acceleration, reference.reference -> model.reference]
`;

beforeAll(async () => {
  const file = site.janus((text) => text.replace(/^script:.*$/m, ""));
  const other = site.system("examples/still/still.yaml", stillFile);
  const [a, b, c] = await Promise.all([site.run(file, "--coach", "127.0.0.1:0"), site.run(other, "--coach", "127.0.0.1:0"), launch()]);
  browser = c;
  [toJanus, toStill] = [await Program.to(a), await Program.to(b)];
  [janus, still] = await Promise.all([Operator.at(browser, a, { width: 1280, height: 720 }), Operator.at(browser, b, { width: 1280, height: 720 })]);
});
afterAll(() => {
  toJanus?.end();
  toStill?.end();
  return leave(site, browser, janus, still);
});

const joints = (operator: Operator): Promise<string[]> => operator.page.locator(".joint .num").allTextContents();

test("positions set over TCP move the robot shown, and are answered", async () => {
  await still.go("robot");
  await still.sees(() => joints(still)).toEqual(["0.0°", "0.0°"]);
  const before = await picture(still);
  expect(await toStill?.ask("2 0 0.5 -0.75", "6 0")).toBe("6 0 0.5 -0.75");
  await still.sees(() => joints(still)).toEqual(["28.6°", "−43.0°"]);
  await still.sees(async () => different(still, before, await picture(still))).toBeGreaterThan(2000);
});

test("frames set over TCP move a body and a shape", async () => {
  let before = await picture(still);
  toStill?.send("0 0 1 0 0 0.6 0 0 0");
  await still.sees(async () => different(still, before, await picture(still))).toBeGreaterThan(1000);
  before = await picture(still);
  toStill?.send("1 0 2 0 0.3 0 0 0 0.5 0");
  await still.sees(async () => different(still, before, await picture(still))).toBeGreaterThan(500);
  await still.page.getByRole("button", { name: "Discard", exact: true }).click();
  await still.sees(() => joints(still)).toEqual(["0.0°", "0.0°"]);
  await still.sees(() => still.page.locator(".program").count()).toBe(0);
});

test("a robot that its system moves is shown where a program sets it until it is discarded", async () => {
  await janus.go("robot");
  await janus.sees(() => joints(janus)).toEqual(["0.0°", "0.0°"]);
  toJanus?.send("2 0 1 1");
  await janus.sees(() => joints(janus)).toEqual(["57.3°", "57.3°"]);
  expect(await janus.page.locator(".program").textContent()).toContain("the ghost shows the current pose");
  const later = await janus.secondTab();
  await later.sees(() => joints(later)).toEqual(["57.3°", "57.3°"]);
  await later.page.close();
  expect(Number((await toJanus?.ask("6 0"))?.split(" ")[2])).toBeCloseTo(0, 2);
  await janus.page.getByRole("button", { name: "Discard", exact: true }).click();
  await janus.sees(() => joints(janus)).toEqual(["0.0°", "0.0°"]);
});

/** A program that speaks to the coach's port. */
class Program {
  private received = "";

  private constructor(private readonly socket: Socket) {
    socket.on("data", (d: Buffer) => (this.received += d.toString()));
  }

  static async to(run: Run): Promise<Program> {
    const address = /^coach: (\S+):(\d+)/m.exec(run.output);
    if (address === null) throw new Error(`no coach's port:\n${run.output}`);
    const socket = connect(Number(address[2]), address[1]);
    await new Promise((done, failed) => socket.once("connect", done).once("error", failed));
    return new Program(socket);
  }

  send(...lines: string[]): void {
    this.socket.write(lines.join("\n") + "\n");
  }

  /** Sends lines and returns the first line of the answer. */
  async ask(...lines: string[]): Promise<string> {
    this.received = "";
    this.send(...lines);
    while (!this.received.includes("\n")) await new Promise((done) => this.socket.once("data", done));
    return this.received.split("\n")[0] ?? "";
  }

  end(): void {
    this.socket.destroy();
  }
}

/** Returns a picture of the 3-D view as PNG in base64. */
async function picture({ page }: Operator): Promise<string> {
  return (await page.locator(".canvas canvas").screenshot()).toString("base64");
}

/** Counts the pixels in which two pictures differ. */
function different({ page }: Operator, a: string, b: string): Promise<number> {
  return page.evaluate(async (pictures) => {
    const [one, two] = await Promise.all(
      pictures.map(async (png) => {
        const image = new Image();
        image.src = "data:image/png;base64," + png;
        await image.decode();
        const drawing = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        if (!drawing) throw new Error("no canvas");
        [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
        drawing.drawImage(image, 0, 0);
        return drawing.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    let count = 0;
    for (let i = 0; one && two && i < one.length; i += 4) {
      if ([0, 1, 2].some((k) => Math.abs((one[i + k] ?? 0) - (two[i + k] ?? 0)) > 24)) count++;
    }
    return count;
  }, [a, b]);
}
