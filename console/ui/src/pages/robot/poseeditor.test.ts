import { expect, test, vi } from "vitest";
import type { App } from "../../lib/app.svelte";
import type { Robot } from "../../lib/robots";
import { unmoved } from "./motion";
import { PoseEditor } from "./poseeditor.svelte";

/** Edits the pose of a robot with one joint at a server that answers requests for inverse kinematics only when `answer` is called. */
function edited(): { editor: PoseEditor; answer: (a: { q: number[] } | Error) => Promise<void> } {
  const waiting: { resolve: (a: unknown) => void; reject: (e: Error) => void }[] = [];
  const request = (): Promise<unknown> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  const editor = new PoseEditor({ client: { request }, system: "arm" } as unknown as App);
  editor.update({ name: "arm", joints: ["a"] } as unknown as Robot, unmoved);
  const answer = async (a: { q: number[] } | Error): Promise<void> => {
    await vi.waitUntil(() => waiting.length > 0);
    const oldest = waiting.shift();
    if (a instanceof Error) oldest?.reject(a);
    else oldest?.resolve({ ...a, ok: true, why: "" });
    await new Promise((done) => setTimeout(done));
  };
  return { editor, answer };
}

const pose = { p: [0, 0, 1] } as unknown as Parameters<PoseEditor["moveTool"]>[1];

test("a dragged tool has the pose of the answer", async () => {
  const { editor, answer } = edited();
  editor.moveTool("hand", pose);
  await answer({ q: [1] });
  expect(editor.pose).toEqual([1]);
});

test("an answer that comes after the pose is discarded does not bring it back", async () => {
  const { editor, answer } = edited();
  editor.moveTool("hand", pose);
  editor.moveTool("hand", pose);
  editor.discard();
  await answer({ q: [1] });
  expect([editor.pose, editor.problem]).toEqual([null, ""]);
  editor.moveTool("hand", pose);
  editor.discard();
  await answer(new Error("no connection"));
  expect([editor.pose, editor.problem]).toEqual([null, ""]);
  editor.moveTool("hand", pose);
  await answer({ q: [2] });
  expect(editor.pose).toEqual([2]);
});
