// Every page by keyboard and for screen readers, by WCAG 2.2: controls have names (4.1.2), Tab reaches them (2.1.1), and the one that has the
// keyboard's focus is marked (2.4.7).
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
// Addresses, and an element by which each page is complete.
const pages: [address: string, complete: string][] = [
  ["cockpit", "canvas"],
  ["net", "canvas[data-places]"],
  ["net?edit=1", "input[type=search]"],
  ["tree/pid1", "[role=separator]"],
  ["scope?add=pid1.out", "[role=listbox] [role=option]"],
  ["robot", ".joint"],
  ["panels", "button"],
  ["system", "input[type=search]"],
  ["tune", "input"],
  ["plan", "p, button"],
];

test.each([["light", false], ["dark", true]] as const)("in the %s theme, every control has a name, Tab reaches it, and its focus is visible", async (_, dark) => {
  const page = await mock.open("", { dark });
  await page.locator("header nav").waitFor();
  for (const [name, complete] of pages) {
    await page.evaluate((n) => (location.hash = `#/${n}`), name);
    await page.locator(`header nav a[href="#/${name.replace(/[?/].*/, "")}"][aria-current=page]`).waitFor();
    await page.locator("main").locator(complete).first().waitFor();
    await expect.poll(() => page.evaluate(defects), { message: name }).toEqual({ nameless: [], unreachable: [], unmarked: [] });
  }
});

/** Runs in the page: returns the controls without a name, those that Tab does not reach, and those that look the same with the focus. */
async function defects(): Promise<{ nameless: string[]; unreachable: string[]; unmarked: string[] }> {
  const label = (e: Element): string => {
    const ids = e.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labels = [...((e as HTMLInputElement).labels ?? [])];
    const texts = [e.getAttribute("aria-label"), ...ids.map((id) => document.getElementById(id)?.textContent), ...labels.map((l) => l.textContent), e.matches("input, select, textarea") ? "" : e.textContent, e.getAttribute("title")];
    return texts.find((t) => t?.trim())?.trim() ?? "";
  };
  const describe = (e: Element): string => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} in ${e.parentElement?.getAttribute("class") ?? ""} "${label(e).slice(0, 30)}"`;
  const look = (e: Element): string => {
    const of = (x: Element): string => ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor", "backgroundColor"].map((p) => getComputedStyle(x)[p as "boxShadow"]).join();
    return of(e) + (e.parentElement ? of(e.parentElement) : "");
  };
  const controls = "button, input, select, textarea, a[href], summary, [role=button], [role=tab], [role=slider], [tabindex='0']";
  const shown = [...document.querySelectorAll<HTMLElement>(controls)].filter((e) => {
    const { width, height } = e.getBoundingClientRect();
    return width >= 2 && height >= 2 && !e.matches(":disabled, [aria-disabled=true], .reader *") && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  });
  const nameless = shown.filter((e) => label(e) === "").map(describe);
  // Lists, trees, tabs and toolbars have one stop; arrow keys move within them. Arrow keys also select and move joints; the buttons beside the
  // time bar step through its flags.
  const unreachable = shown.filter((e) => e.tabIndex < 0 && !e.closest(".joint, .flag, [role=tree], [role=listbox], [role=tablist], [role=grid], [role=menu], [role=radiogroup], [role=toolbar]")).map(describe);
  const unmarked: string[] = [];
  const before = document.activeElement as HTMLElement | null;
  for (const e of shown) {
    if (e.tabIndex < 0) continue;
    (document.activeElement as HTMLElement | null)?.blur();
    const plain = look(e);
    e.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
    if (document.activeElement === e && look(e) === plain) unmarked.push(describe(e));
  }
  before?.focus({ preventScroll: true });
  return { nameless: [...new Set(nameless)], unreachable: [...new Set(unreachable)], unmarked: [...new Set(unmarked)] };
}
