// Parses and formats widget options typed in the inspector.

import type { Value } from "../../lib/wire";

/** Parses JSON; a bare word is a string, an empty text no value. Returns null for anything else. */
export function readJSON(text: string): { value: Value | undefined } | null {
  const trimmed = text.trim();
  if (trimmed === "") return { value: undefined };
  try {
    return { value: JSON.parse(trimmed) as Value };
  } catch {
    return /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(trimmed) ? { value: trimmed } : null;
  }
}

/** Parses the choices of a radio field from lines "value text". */
export function readChoices(text: string): Value {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line): Value => {
      const [, head = line, rest = ""] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      const value = readJSON(head)?.value ?? head;
      return { value, text: rest === "" ? head : rest };
    });
}

/** Formats choices as lines "value text". */
export function formatChoices(value: Value | undefined): string {
  return (Array.isArray(value) ? value : [])
    .map((item) => {
      if (item === null || typeof item !== "object" || Array.isArray(item)) return JSON.stringify(item);
      const head = typeof item["value"] === "string" ? item["value"] : JSON.stringify(item["value"] ?? null);
      return typeof item["text"] === "string" && item["text"] !== head ? `${head} ${item["text"]}` : head;
    })
    .join("\n");
}
