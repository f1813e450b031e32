// Light or dark: the browser's preference or the user's choice. CSS reads data-theme of the root element.

export type ThemeChoice = "auto" | "light" | "dark";
const key = "sinew.theme";

export class Theme {
  choice = $state<ThemeChoice>("auto");
  private system = $state(false);
  /** Whether the dark theme is shown; canvases redraw when it changes. */
  readonly dark = $derived(this.choice === "auto" ? this.system : this.choice === "dark");

  constructor() {
    const saved = localStorage.getItem(key);
    if (saved === "light" || saved === "dark") this.choice = saved;
    const media = matchMedia("(prefers-color-scheme: dark)");
    this.system = media.matches;
    media.addEventListener("change", (e) => {
      this.system = e.matches;
      this.show();
    });
    this.show();
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    if (choice === "auto") localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
    this.show();
  }

  toggle(): void {
    this.choose(this.dark ? "light" : "dark");
  }

  private show(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
  }
}
