// The windows and themes in which screenshots are taken.

export interface Look {
  width: number;
  height: number;
  dark: boolean;
}

/** Two looks that show most faults; with ALL=1 three windows in both themes. */
export const looks: Look[] = [
  { width: 1440, height: 900, dark: false },
  { width: 1280, height: 720, dark: true },
  ...(process.env["ALL"]
    ? [
        { width: 1440, height: 900, dark: true },
        { width: 1280, height: 720, dark: false },
        { width: 820, height: 1180, dark: true },
        { width: 820, height: 1180, dark: false },
      ]
    : []),
];

const wanted = process.env["SHOTS"]?.split(",");

/** Reports whether a screenshot is wanted: SHOTS=net,tree selects those with these names, and those that go on with a hyphen. */
export function isWanted(name: string): boolean {
  return !wanted || wanted.some((w) => name === w || name.startsWith(w + "-"));
}

/** The folder of the screenshots. */
export const folder = new URL("../shots/", import.meta.url).pathname;

/** Returns the file of a screenshot. */
export function fileOf(name: string, { width, dark }: Look): string {
  return `${folder}${name}-${width}-${dark ? "dark" : "light"}.png`;
}
