// plain makes a decoded message JSON: typed arrays become lists, what JSON has no number for becomes a string.
export function plain(v) {
  if (typeof v === "bigint") return v.toString();
  if (typeof v === "number") return Number.isFinite(v) && !Object.is(v, -0) ? v : Object.is(v, -0) ? "-0" : String(v);
  if (ArrayBuffer.isView(v) || Array.isArray(v)) return Array.from(v, plain);
  if (v !== null && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]));
  return v;
}

// question reads the JSON on standard input.
export async function question() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
