import { expect, test } from "vitest";
import { Opening } from "./opening";

test("what is asked for twice is opened once, and again later", async () => {
  const opening = new Opening();
  let opened = 0;
  const open = async (): Promise<void> => {
    await Promise.resolve();
    opened++;
  };
  await Promise.all([opening.run("main", open), opening.run("main", open)]);
  expect(opened).toBe(1);
  await opening.run("main", open);
  expect(opened).toBe(2);
});

test("an answer that comes after another panel was asked for is out of date", async () => {
  const opening = new Opening();
  const shown: string[] = [];
  const open = (name: string, answer: Promise<unknown>): Promise<void> =>
    opening.run(name, async (latest) => {
      await answer;
      if (latest()) shown.push(name);
    });
  let answerFirst = (): void => undefined;
  const first = open("first", new Promise<void>((done) => (answerFirst = done)));
  await open("second", Promise.resolve());
  answerFirst();
  await first;
  expect(shown).toEqual(["second"]);
});

test("a panel that failed to open can be opened again", async () => {
  const opening = new Opening();
  await expect(opening.run("main", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  let opened = false;
  await opening.run("main", () => Promise.resolve(void (opened = true)));
  expect(opened).toBe(true);
});
