// The modules of pages and dialogs, loaded when they are first shown.
import type { Component } from "svelte";
import type { PageName } from "../lib/route.svelte";

type Loader = () => Promise<{ default: Component }>;

/** Loads the modules of all pages, their parts and the dialogs, one after another, so that those which were not opened yet are there when the connection is lost. */
export async function prefetchPages(): Promise<void> {
  performance.mark("prefetch"); // what is loaded from now on is not the first page's
  for (const load of [...Object.values(pageModules), ...parts, ...Object.values(dialogs)]) await load().catch(() => undefined); // the page reports it when it is opened
  performance.mark("prefetched");
}

export const pageModules: Record<PageName, Loader> = {
  cockpit: () => import("../pages/cockpit/Page.svelte"),
  net: () => import("../pages/net/Page.svelte"),
  tree: () => import("../pages/tree/Page.svelte"),
  scope: () => import("../pages/scope/Page.svelte"),
  robot: () => import("../pages/robot/Page.svelte"),
  panels: () => import("../pages/panels/Page.svelte"),
  system: () => import("../pages/system/Page.svelte"),
  tune: () => import("../pages/tune/Page.svelte"),
  plan: () => import("../pages/plan/Page.svelte"),
};

/** Parts of pages that are loaded when they are first shown. */
const parts: (() => Promise<unknown>)[] = [
  () => import("../pages/net/edit/EditPage.svelte"),
  () => import("../pages/robot/LiveRobot.svelte"),
  () => import("../pages/scope/SmallPlot.svelte"),
  () => import("../pages/scope/session.svelte"),
];

export const dialogs = {
  palette: () => import("./Palette.svelte"),
  save: () => import("./SaveTuned.svelte"),
  keys: () => import("./KeyList.svelte"),
  workspace: () => import("./SaveWorkspace.svelte"),
  share: () => import("./ShareRun.svelte"),
};
