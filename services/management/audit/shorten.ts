import type { AuditValues } from "#libs/database/json-columns.ts";

/** The JSON of the values before a change, and of those after it, is kept whole up to this length, in bytes. */
const WHOLE_BYTES = 4 * 1024;
/** Beyond that each value may have this length, so that a page of the audit log is at most some 1 MiB. */
const VALUE_BYTES = 512;
/** The most of what a value consists of that is kept whole; names and email addresses are shorter. */
const PART_BYTES = 256;

/**
 * The values as the audit log keeps them: a text beyond the bound ends with "… (6,012 characters)", a list with "… and 88 more".
 * Anybody can make long ones, and each change keeps two.
 */
export function shortened(values: AuditValues): AuditValues {
  if (bytesOf(values) <= WHOLE_BYTES) return values;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, cut(value, VALUE_BYTES)]));
}

function cut(value: unknown, most: number): unknown {
  if (bytesOf(value) <= most) return value;
  if (typeof value === "string") return cutText(value, most);
  if (Array.isArray(value)) {
    const kept = firstOf(value, most);
    return kept.length === value.length ? kept : [...kept, `… and ${count(value.length - kept.length)} more`];
  }
  if (typeof value !== "object" || value === null) return value;
  const [keys, parts] = [Object.keys(value), firstOf(Object.values(value), most)];
  const kept = parts.map((part, index): [string, unknown] => [keys[index] ?? "", part]);
  const rest = keys.length - kept.length;
  return { ...Object.fromEntries(kept), ...(rest === 0 ? {} : { "…": `and ${count(rest)} more` }) };
}

/** The first of them, themselves cut, that fit; at least one. */
function firstOf(items: readonly unknown[], most: number): unknown[] {
  const kept: unknown[] = [];
  let bytes = 0;
  for (const item of items) {
    const part = cut(item, Math.min(most, PART_BYTES));
    bytes += bytesOf(part);
    if (kept.length > 0 && bytes > most) break;
    kept.push(part);
  }
  return kept;
}

function cutText(text: string, most: number): string {
  // A letter takes three bytes at most, as UTF-8 or with what JSON escapes of ordinary text.
  return `${text.slice(0, Math.floor(most / 3)).toWellFormed()}… (${count(text.length)} characters)`;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
