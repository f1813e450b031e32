// Entry point of a shared page: one HTML file that replays a run without a server. vite.share.config.ts builds it.
import { mount } from "svelte";
import { DefaultLoadingManager } from "three";
import { App } from "../lib/app.svelte";
import { messageOf } from "../lib/errors";
import { ContentsClient } from "./client";
import { decode, type Contents } from "./contents";
import SharedPage from "./SharedPage.svelte";
import "../shell/theme.css";

/** Lets the 3-D library find the files of robots in the page, and nothing else. */
function serveFiles(run: Contents): void {
  const files = new Map([...run.files].map(([address, data]) => [new URL(address, location.href).href, URL.createObjectURL(new Blob([data]))]));
  DefaultLoadingManager.setURLModifier((url) => files.get(new URL(url, location.href).href) ?? "data:,");
}

async function start(target: HTMLElement): Promise<void> {
  try {
    const run = await decode(document.getElementById("run")?.textContent ?? "");
    serveFiles(run);
    mount(SharedPage, { target, props: { run, app: new App(new ContentsClient(run)) } });
  } catch (e) {
    target.textContent = `This page cannot be shown: ${messageOf(e)}. The file may be incomplete; copy it again.`;
  }
}

const target = document.getElementById("app");
if (target) void start(target);
