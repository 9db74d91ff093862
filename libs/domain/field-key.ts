import { asciiWords } from "./ascii-words.ts";
import { trimEndOf } from "./trim-end.ts";

/** What names a field's value in an ad's public `meta`. */
export const FIELD_KEY = /^[a-z][a-z0-9_]{0,39}$/;

const LONGEST_KEY = 40;
const FALLBACK = "field";

/**
 * A key made from a field's name, of the form `FIELD_KEY` and not among `taken`: `Call to action` is `call_to_action`,
 * and `call_to_action_2` the second time. A name that leaves nothing to begin with gets `field` in front.
 */
export function fieldKeyFromName(name: string, taken: ReadonlySet<string>): string {
  const words = asciiWords(name);
  const beginsWithLetter = /^[a-z]/.test(words[0] ?? "");
  const base = (beginsWithLetter ? words : [FALLBACK, ...words]).join("_");
  let key = cut(base, "");
  for (let count = 2; taken.has(key); count += 1) key = cut(base, `_${count}`);
  return key;
}

function cut(base: string, suffix: string): string {
  return trimEndOf(base.slice(0, LONGEST_KEY - suffix.length), "_") + suffix;
}
