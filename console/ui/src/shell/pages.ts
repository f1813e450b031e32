// Where the code of each page lies; it is loaded when the page is first shown.
import type { Component } from "svelte";
import type { PageName } from "../lib/route.svelte";

type Loader = () => Promise<{ default: Component }>;

export const pageModules: Record<PageName, Loader> = {
  net: () => import("../pages/net/Page.svelte"),
  tree: () => import("../pages/tree/Page.svelte"),
  scope: () => import("../pages/scope/Page.svelte"),
  robot: () => import("../pages/robot/Page.svelte"),
  panels: () => import("../pages/panels/Page.svelte"),
  system: () => import("../pages/system/Page.svelte"),
};
