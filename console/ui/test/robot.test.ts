// The page Robot in Chromium, with the simulated console.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { mockConsole } from "./browser";
import { patience } from "./patience";
import { arrow } from "./real/picture";

const mock = mockConsole();
let page: Page;

async function robot(): Promise<void> {
  page = await mock.open("/robot?system=janus", { width: 1280, height: 720 });
  await page.waitForSelector(".joint");
}

const joint = (name: string) => page.locator(".joint", { hasText: name }).locator(".num");

test("the robot follows the system, and the picture is not blank", async () => {
  await robot();
  const first = await joint("joint1").textContent();
  await expect.poll(() => joint("joint1").textContent()).not.toBe(first);
  const picture = (await page.locator(".canvas canvas").screenshot()).toString("base64");
  const colours = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const probe = document.createElement("canvas").getContext("2d");
    if (!probe) return 0;
    [probe.canvas.width, probe.canvas.height] = [200, 120];
    probe.drawImage(image, 0, 0, 200, 120);
    return new Set(new Uint32Array(probe.getImageData(0, 0, 200, 120).data.buffer)).size;
  }, picture);
  expect(colours).toBeGreaterThan(20);
});

test("joints are posed with sliders and keys, and the pose is discarded", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint2" }).fill("1");
  expect(await joint("joint2").textContent()).toBe("57.3°");
  expect(await page.locator("div.posed").textContent()).toContain("Manual pose");
  await page.locator(".canvas").click({ position: { x: 20, y: 500 } });
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => joint("joint2").textContent()).toBe("59.3°");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("div.posed").count()).toBe(0);
});

test("Move there moves the robot to the manual pose", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint1" }).fill("0.8");
  expect(await page.getByLabel("Duration of the motion in seconds").inputValue()).not.toBe("");
  await page.getByLabel("Duration of the motion in seconds").fill("2");
  await page.getByRole("button", { name: "Move there" }).click();
  await expect.poll(() => page.locator(".app").textContent()).toContain("is moving to the pose in 2 s");
  expect(await page.locator("div.posed").count()).toBe(0);
});

test("the legend lists the visible marks", async () => {
  await robot();
  const legend = page.getByRole("list", { name: "Legend" });
  await expect.poll(() => legend.textContent()).toContain("desired pose");
  expect(await legend.textContent()).not.toContain("frames");
  await page.keyboard.press("f");
  await expect.poll(() => legend.textContent()).toContain("link frames");
});

test("a body is dragged with the mouse", async () => {
  await robot();
  // Straight up first, so that the body is under the mouse.
  await page.getByRole("slider", { name: "joint1" }).fill("0");
  await page.getByRole("slider", { name: "joint2" }).fill("0");
  await page.getByRole("button", { name: "Side" }).click();
  const box = await page.locator(".canvas canvas").boundingBox();
  if (!box) throw new Error("no canvas");
  const hovered = async (): Promise<[number, number] | null> => {
    for (let y = 0.2; y < 0.4; y += 0.07) {
      for (let x = 0.3; x < 0.6; x += 0.03) { // its position depends on the pose at the first frame
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        await page.evaluate(() => new Promise(requestAnimationFrame)); // the page handles the mouse event first
        if ((await page.locator(".canvas canvas").evaluate((c) => (c as HTMLElement).style.cursor)) === "grab") return [box.x + box.width * x, box.y + box.height * y];
      }
    }
    return null;
  };
  let at = await hovered();
  for (const end = Date.now() + patience; at === null && Date.now() < end; at = await hovered()) await page.waitForTimeout(200); // until it is drawn
  expect(at).not.toBeNull();
  const [x, y] = at ?? [0, 0];
  const before = [await joint("joint1").textContent(), await joint("joint2").textContent()];
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 10, { steps: 6 });
  await page.mouse.up();
  expect([await joint("joint1").textContent(), await joint("joint2").textContent()]).not.toEqual(before);
});

test("a goal that the tool cannot reach is explained in full, in a window of any width", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint1" }).fill("0.6");
  await page.getByRole("slider", { name: "joint2" }).fill("0.9");
  await page.getByRole("button", { name: "Side" }).click();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const grip = await arrow({ page });
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, grip.y - 150, { steps: 8 });
  const reason = page.locator("aside [role=status]");
  await expect.poll(() => reason.textContent()).toContain("the nearest configuration misses it by");
  await page.mouse.up();
  for (const width of [1440, 1280, 820]) {
    await page.setViewportSize({ width, height: 720 });
    await expect.poll(() => reason.evaluate(cut), { message: `${width} px` }).toEqual([]);
  }
});

/** Runs in the page: returns which ends of an element's text are cut by its own box, by an element around it or by the window. */
function cut(element: Element): string[] {
  const range = document.createRange();
  range.selectNodeContents(element);
  const text = range.getBoundingClientRect();
  const ends = new Set<string>();
  for (let e: Element | null = element; e !== null; e = e.parentElement) {
    if (e !== document.documentElement && getComputedStyle(e).overflow === "visible") continue;
    const box = e === document.documentElement ? new DOMRect(0, 0, innerWidth, innerHeight) : e.getBoundingClientRect();
    for (const end of ["left", "top"] as const) if (text[end] < box[end] - 1) ends.add(end);
    for (const end of ["right", "bottom"] as const) if (text[end] > box[end] + 1) ends.add(end);
  }
  return [...ends];
}

test("a missing mesh is drawn as a box and reported", async () => {
  const script = (): void => {
    const fetched = window.fetch;
    window.fetch = async (...args) => {
      const answer = await fetched(...args);
      const text = await answer.clone().text().catch(() => "");
      return text.includes("<robot") ? new Response(text.replace('<box size="0.08 0.20 0.12"/>', '<mesh filename="meshes/gone.stl"/>')) : answer;
    };
  };
  page = await mock.open("/robot?system=janus", { script });
  await expect.poll(() => page.locator(".notes").textContent()).toContain("gone.stl");
});

test("a robot above the floor is framed with the ring below its centre of mass", async () => {
  const script = (): void => {
    localStorage.setItem("sinew.robot.shows", JSON.stringify({ grid: false, mass: true }));
    const fetched = window.fetch;
    window.fetch = async (...args) => {
      const answer = await fetched(...args);
      const text = await answer.clone().text().catch(() => "");
      const mount = '<link name="mast"/><joint name="mount" type="fixed"><parent link="mast"/><child link="pillar"/><origin xyz="0 0 1"/></joint>';
      return text.includes("<robot") ? new Response(text.replace("</robot>", `${mount}</robot>`)) : answer;
    };
  };
  page = await mock.open("/robot?system=janus", { width: 1280, height: 720, script });
  await page.waitForSelector(".joint");
  await expect.poll(async () => page.evaluate(ring, (await page.locator(".canvas canvas").screenshot()).toString("base64"))).toEqual({ wide: true, inside: true });
});

/** Runs in the page: finds the ring in the colour of the centre of mass, which is wider than its plumb line, at the lower end of that line. */
async function ring(png: string): Promise<{ wide: boolean; inside: boolean }> {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const drawing = document.createElement("canvas").getContext("2d");
  if (!drawing) return { wide: false, inside: false };
  [drawing.canvas.width, drawing.canvas.height] = [image.width, image.height];
  drawing.drawImage(image, 0, 0);
  const { data } = drawing.getImageData(0, 0, image.width, image.height);
  const rows: number[][] = []; // places of yellow pixels, by line of the picture: its edges are paler where a busy browser draws fewer
  for (let i = 0; i < data.length; i += 4) {
    const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3);
    if (r > 0xb8 && r >= g && r - b > 50) (rows[Math.floor(i / 4 / image.width)] ??= []).push((i / 4) % image.width);
  }
  const found = rows.flatMap((places, y) => [{ y, width: Math.max(...places) - Math.min(...places) }]);
  return { wide: found.slice(-12).some(({ width }) => width > 5), inside: (found.at(-1)?.y ?? Infinity) < image.height - 4 };
}

test("a robot whose joint positions no block publishes is shown at zeros, with the tag that is missing", async () => {
  page = await mock.open("/tree?system=janus");
  await page.waitForFunction(() => "sinewMock" in window);
  await page.evaluate(() => {
    const { server } = (window as unknown as { sinewMock: { server: { system(name: string): { silent: boolean } } } }).sinewMock;
    server.system("janus").silent = true;
    location.hash = "#/robot?system=janus";
  });
  await expect.poll(() => page.locator(".notes p").textContent()).toBe('No block publishes janus’s joint positions; showing zeros. Tag an output show:"joint_position".');
  await expect.poll(() => joint("joint1").textContent()).toBe("0.0°");
});

test("a system without a robot explains what to do", async () => {
  page = await mock.open("/robot?system=plant");
  await expect.poll(() => page.locator(".empty").textContent()).toContain("no robot to show");
});

test("the motion to a pose is previewed through waypoints", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint1" }).fill("0.8");
  const scrub = page.getByRole("slider", { name: "Preview of the motion" });
  await scrub.waitFor();
  await page.getByRole("button", { name: "Add waypoint" }).click();
  await page.getByRole("slider", { name: "joint2" }).fill("0.5");
  await expect.poll(() => page.locator(".track i").count()).toBe(1);
  expect(await page.locator("div.posed").textContent()).toContain("Remove 1 waypoint");
  const total = Number(await scrub.getAttribute("max"));
  await scrub.fill(String(total / 2));
  expect(await page.locator("div.posed").textContent()).toContain("the ghost shows the motion");
  await page.getByRole("button", { name: "Play the preview" }).click();
  await expect.poll(() => scrub.inputValue().then(Number)).toBeGreaterThan(total / 2);
  await page.getByRole("slider", { name: "joint2" }).fill("3.1");
  await expect.poll(() => page.locator("div.posed .problem").textContent()).toContain("beyond its limits");
});

test("a joint near its limit is marked by text, not only by colour", async () => {
  await robot();
  const row = page.locator(".joint", { hasText: "joint2" });
  const slider = page.getByRole("slider", { name: "joint2" });
  await slider.fill(String(Number(await slider.getAttribute("max")) - 0.02));
  await expect.poll(() => row.locator(".limit").textContent()).toBe("1.1° to the upper limit");
});

test("a group of joints is shown alone, and its own operation moves it", async () => {
  await robot();
  await page.getByRole("slider", { name: "joint2" }).waitFor();
  await page.getByLabel("Group of joints", { exact: true }).selectOption("shoulder");
  await expect.poll(() => page.locator(".joint .name").allTextContents()).toEqual(["joint1"]);
  await page.getByRole("slider", { name: "joint1" }).fill("0.8");
  await page.getByLabel("Duration of the motion in seconds").fill("2");
  const move = page.locator(".go");
  await expect.poll(() => move.getAttribute("title")).toBe("Calls generator1.moveTo");
  await page.getByRole("button", { name: "Move there" }).click();
  await expect.poll(() => page.locator(".app").textContent()).toContain("janus’s shoulder is moving to the pose in 2 s");
  await page.keyboard.press("7"); // the page System has the log
  await expect.poll(() => page.locator(".app").textContent()).toContain("call generator1.moveTo([0.8], 2)");
  await page.keyboard.press("5");
  await page.getByLabel("Group of joints", { exact: true }).selectOption("All");
  await expect.poll(() => page.locator(".joint .name").count()).toBe(2);
});
