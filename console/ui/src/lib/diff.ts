// The difference of two texts, line by line.

/** A line of a comparison: in both texts, only in the first ("-") or only in the second ("+"). */
export interface DiffLine {
  kind: " " | "-" | "+";
  text: string;
}

const most = 2000; // lines of a text that are compared; longer texts differ as a whole

/** Compares two texts by their longest common subsequence of lines. Unchanged lines further than `around` from a change are left out. */
export function diff(before: string, after: string, around = 2): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  if (a.length > most || b.length > most) return [...a.map((text): DiffLine => ({ kind: "-", text })), ...b.map((text): DiffLine => ({ kind: "+", text }))];
  // common[i][j]: length of the longest common subsequence of a from i and b from j
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) (common[i] as Uint16Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: " ", text: a[i++] ?? "" });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) lines.push({ kind: "-", text: a[i++] ?? "" });
    else lines.push({ kind: "+", text: b[j++] ?? "" });
  }
  return lines.filter((_, k) => lines.slice(Math.max(0, k - around), k + around + 1).some((l) => l.kind !== " "));
}
