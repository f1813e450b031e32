// Saves the scope's picture as PNG with a legend, and its visible samples as CSV.

import { formatDuration } from "./axes";
import { toCSV } from "./csv";
import type { Pictures } from "./pictures";
import type { Scope } from "./scope.svelte";
import { penDash, type Trace } from "./trace";
import type { View } from "./view";

/** Saves the visible traces in the visible time span as CSV. */
export function saveCSV(scope: Scope, views: readonly View[], system: string): void {
  const time = views.find((v) => v.kind === "time");
  if (time === undefined) return;
  const columns = scope.traces.flatMap(({ name, unit, shown }) => {
    const ring = scope.rings.get(name);
    return shown && ring !== undefined ? [{ name: name.replace(/^= /, ""), unit, ring }] : [];
  });
  download(new Blob([toCSV(columns, time.from, time.to)], { type: "text/csv" }), `${system}-scope.csv`);
}

/** Saves all plots, one below the other, with a legend. */
export async function savePNG(pictures: Pictures, traces: readonly Trace[], system: string): Promise<void> {
  const ratio = devicePixelRatio || 1;
  const plots = pictures.inOrder;
  const time = pictures.views.find((v) => v.kind === "time");
  const [first] = plots;
  if (first === undefined || time === undefined) return;
  const shown = traces.filter((t) => t.shown);
  const width = Math.max(...plots.map((p) => p.canvas.width));
  const height = plots.reduce((sum, p) => sum + p.canvas.height, 0);
  const perRow = Math.max(1, Math.floor(width / (300 * ratio)));
  const lineHeight = 18 * ratio;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height + lineHeight * (2 + Math.ceil(shown.length / perRow));
  const ctx = canvas.getContext("2d");
  if (ctx === null) return;
  const { ink } = first;
  ctx.fillStyle = ink.surface;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  let y = 0;
  for (const { canvas: picture } of plots) {
    ctx.drawImage(picture, 0, y);
    y += picture.height;
  }
  ctx.font = ink.font.replace(/^\d+px/, `${11 * ratio}px`);
  ctx.textBaseline = "middle";
  y += lineHeight / 2;
  ctx.fillStyle = ink.text;
  ctx.fillText(`${system}   ${formatDuration(time.to - time.from)} from ${time.from.toFixed(6)} s   0 = ${time.zero.toFixed(6)} s`, 12 * ratio, y);
  shown.forEach((trace, i) => {
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
