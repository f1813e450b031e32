// All texts of all pages fit into their places at the widths of a desk, a laptop and a tablet: none is cut without an ellipsis and a title.
import { expect, test } from "vitest";
import { mockConsole } from "./browser";

const mock = mockConsole();
const pages = ["cockpit", "net/pid1", "net?edit=1", "tree/joint1", "scope?add=joint1.displacement_sensor", "robot", "panels", "system", "tune", "plan", "45:robot|55:scope"];

test.each([[1440, 900], [1280, 720], [820, 1180]])("at %d × %d px no text is cut", async (width, height) => {
  const page = await mock.open("/cockpit?system=janus", { width, height });
  await page.locator("header nav a[aria-current=page]").waitFor();
  for (const name of pages) {
    await page.evaluate((n) => (location.hash = `#/${n}${n.includes("?") ? "&" : "?"}system=janus`), name);
    const first = /^(\d+:)?(\w+)/.exec(name)?.[2] ?? "";
    await page.locator(`header nav a[href="#/${first}"][aria-current=page]`).waitFor();
    await expect.poll(async () => (await page.locator("main").innerText()).trim(), { message: name }).not.toMatch(/^(Loading.*)?$/);
    await expect.poll(() => page.evaluate(cut), { message: name }).toEqual([]);
  }
});

test("at 820 px the names of signals are whole in the scope’s table", async () => {
  const page = await mock.open("/scope?add=joint1.position&system=janus", { width: 820, height: 1180 });
  const name = page.locator("tbody td.name").first();
  await expect.poll(() => page.locator("tbody td.now").first().textContent()).toMatch(/^−?\d/);
  await expect.poll(() => name.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
});

test("keys of every page are listed", async () => {
  const page = await mock.open("/cockpit?system=janus");
  await page.locator("header nav a[aria-current=page]").waitFor();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect.poll(() => keys.getByRole("heading", { level: 2 }).allTextContents()).toEqual(expect.arrayContaining(["Net", "Tree", "Scope", "Robot", "Panels", "Plan"]));
});

test("a parameter without a value in the file reads “default” in the editor", async () => {
  const page = await mock.open("/net?edit=1&system=janus");
  await page.getByText("No problems found").waitFor();
  await page.locator(".reader button", { hasText: /^joint1$/ }).dispatchEvent("click");
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("joint1");
  await expect.poll(() => page.locator("aside input.mono").evaluateAll((all) => all.map((e) => (e as HTMLInputElement).placeholder))).toContain("default");
});

/** Runs in the page: returns the texts that are cut. */
function cut(): string[] {
  const found: string[] = [];
  const brush = document.createElement("canvas").getContext("2d");
  const widthOf = (text: string, style: CSSStyleDeclaration): number => {
    if (!brush) return 0;
    brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return brush.measureText(text).width;
  };
  const report = (e: Element, text: string, over: number): void => void found.push(`${e.tagName.toLowerCase()}.${e.className} “${text.slice(0, 40)}”: ${Math.round(over)} px`);
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest(".reader, svg, .uplot, .xterm") || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.clientWidth < 2) continue;
    const style = getComputedStyle(e);
    const inside = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (e instanceof HTMLInputElement && !["range", "checkbox", "radio", "color"].includes(e.type)) {
      const over = widthOf(e.value || e.placeholder, style) + (e.type === "search" ? 14 : 0) - inside; // of the button that clears it
      if (over > 1 && e.title === "") report(e, e.value || e.placeholder, over);
    } else if (e instanceof HTMLSelectElement) {
      const text = e.selectedOptions[0]?.text ?? "";
      const over = widthOf(text, style) + 20 - inside; // of the arrow
      if (over > 1 && e.title === "") report(e, text, over);
    } else {
      const own = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim());
      if (own.length === 0) continue;
      const range = document.createRange();
      range.selectNodeContents(e);
      const text = range.getBoundingClientRect();
      for (let box: Element | null = e; box && box !== document.body; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box);
        if (overflowX === "visible") continue;
        if (overflowX !== "hidden" && overflowX !== "clip") break; // it scrolls
        const { left, right } = box.getBoundingClientRect();
        const over = Math.max(left - text.left, text.right - right);
        if (over > 1 && !(textOverflow === "ellipsis" && e.closest("[title]"))) report(e, e.textContent.trim(), over);
        break;
      }
    }
  }
  return found;
}
