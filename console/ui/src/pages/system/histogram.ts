// Labels of a histogram's logarithmic axes.

/**
 * Returns the values between two, both above 0, that get a label: powers of ten, and with few of them 2 and 5 times the powers, where labels have room.
 * place returns the position of a value in px, room is the least distance of two labels in px.
 */
export function labelled(least: number, most: number, place: (value: number) => number, room: number): number[] {
  const [low, high] = [Math.log10(least), Math.log10(most)];
  const powers = Array.from({ length: Math.floor(high) - Math.floor(low) + 1 }, (_, i) => 10 ** (Math.floor(low) + i));
  const others = high - low < 2.5 ? powers.flatMap((p) => [2 * p, 5 * p]) : [];
  const kept: number[] = [];
  for (const v of [...powers, ...others]) if (v >= least && v <= most && kept.every((k) => Math.abs(place(k) - place(v)) >= room)) kept.push(v);
  return kept.sort((a, b) => a - b);
}
