// Options of widgets as people type them.

import type { Value } from "../../lib/wire";

/** JSON as typed; a bare word is a string; null where it is neither. An empty text is no value. */
export function readJSON(text: string): { value: Value | undefined } | null {
  const trimmed = text.trim();
  if (trimmed === "") return { value: undefined };
  try {
    return { value: JSON.parse(trimmed) as Value };
  } catch {
    return /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(trimmed) ? { value: trimmed } : null;
  }
}

/** Choices of a radio field from lines "value text". */
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

/** Choices as lines "value text". */
export function sayChoices(value: Value | undefined): string {
  return (Array.isArray(value) ? value : [])
    .map((item) => {
      if (item === null || typeof item !== "object" || Array.isArray(item)) return JSON.stringify(item);
      const head = typeof item["value"] === "string" ? item["value"] : JSON.stringify(item["value"] ?? null);
      return typeof item["text"] === "string" && item["text"] !== head ? `${head} ${item["text"]}` : head;
    })
    .join("\n");
}
