// The picture as a PNG with its legend, and what it shows as a CSV.

import { sayDuration } from "./axes";
import { toCSV } from "./csv";
import type { Plot } from "./plot";
import type { View } from "./view";
import { penDash } from "./trace";

/** Saves the traces that are shown, in the span that is shown, as CSV. */
export function saveCSV(view: View, system: string): void {
  const columns = view.drawn.filter((d) => d.trace.shown).map(({ trace, ring }) => ({ name: trace.name, unit: trace.unit, ring }));
  download(new Blob([toCSV(columns, view.from, view.to)], { type: "text/csv" }), `${system}-scope.csv`);
}

/** Saves the picture with a legend below it. */
export async function savePNG(plot: Plot, view: View, system: string): Promise<void> {
  const ratio = devicePixelRatio || 1;
  const shown = view.drawn.filter((d) => d.trace.shown);
  const perRow = Math.max(1, Math.floor(plot.canvas.width / (300 * ratio)));
  const lineHeight = 18 * ratio;
  const canvas = document.createElement("canvas");
  canvas.width = plot.canvas.width;
  canvas.height = plot.canvas.height + lineHeight * (2 + Math.ceil(shown.length / perRow));
  const ctx = canvas.getContext("2d");
  if (ctx === null) return;
  const { ink } = plot;
  ctx.fillStyle = ink.surface;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(plot.canvas, 0, 0);
  ctx.font = ink.font.replace(/^\d+px/, `${11 * ratio}px`);
  ctx.textBaseline = "middle";
  let y = plot.canvas.height + lineHeight / 2;
  ctx.fillStyle = ink.text;
  ctx.fillText(`${system}   ${sayDuration(view.to - view.from)} from ${view.from.toFixed(6)} s   0 = ${view.zero.toFixed(6)} s`, 12 * ratio, y);
  shown.forEach(({ trace }, i) => {
    if (i % perRow === 0) y += lineHeight;
    const x = (12 + 300 * (i % perRow)) * ratio;
    ctx.strokeStyle = ink.pens[trace.pen % ink.pens.length] ?? ink.text;
    ctx.lineWidth = 2 * ratio;
    ctx.setLineDash(penDash(trace.pen).map((d) => d * ratio));
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + 20 * ratio, y);
    ctx.stroke();
    ctx.fillStyle = ink.strong;
    ctx.fillText(trace.unit === "" ? trace.name : `${trace.name} [${trace.unit}]`, x + 26 * ratio, y, 268 * ratio);
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob !== null) download(blob, `${system}-scope.png`);
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
