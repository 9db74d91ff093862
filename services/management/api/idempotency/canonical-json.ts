/** A value that is still to be written, or text that is written as it is. */
type Part = { readonly value: unknown } | { readonly text: string };

/**
 * A JSON value as text that is the same for equal values: without white space, and with the keys of objects in order. It
 * does not recurse, so a value of any depth has one.
 */
export function canonicalJson(whole: unknown): string {
  const written: string[] = [];
  const waiting: Part[] = [{ value: whole }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if ("text" in part) {
      written.push(part.text);
      continue;
    }
    const parts = partsOf(part.value);
    if (parts === null) written.push(JSON.stringify(part.value));
    // One at a time: as the arguments of one call there could be too many.
    else for (const inner of parts.toReversed()) waiting.push(inner);
  }
  return written.join("");
}

/** The parts of an array or object; null for any other value. */
function partsOf(value: unknown): Part[] | null {
  if (Array.isArray(value)) return [{ text: "[" }, ...value.flatMap(asItem), { text: "]" }];
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [{ text: "{" }, ...entries.flatMap(asEntry), { text: "}" }];
}

function asItem(value: unknown): Part[] {
  return [{ value }, { text: "," }];
}

function asEntry([key, value]: [string, unknown]): Part[] {
  return [{ text: `${JSON.stringify(key)}:` }, { value }, { text: "," }];
}
