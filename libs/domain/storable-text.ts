/** One look-ahead at one character: nothing here can be matched in two ways, so the time grows with the length alone. */
const NOT_STORABLE = /(?![\t-\r])[\p{Cc}\p{Cs}]/u;

/** No control characters but white space, no lone surrogates: JSON can carry both, a Postgres text neither. */
export function isStorable(text: string): boolean {
  return !NOT_STORABLE.test(text);
}

/** How many characters a person would count: code points, so that an emoji outside the basic plane is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/**
 * Whether the text has at most `max` characters (code points). Asked before anything that reads the whole text: a text
 * of many times `max` costs nothing.
 */
export function isNoLongerThan(max: number, text: string): boolean {
  // A character takes one or two code units.
  return text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max);
}

const INVISIBLE = /[\u200b\u2060\u202a-\u202e\u2066-\u2069]/u;

/** Whether nothing in the text hides, or turns its direction around: a name must read as it is stored. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}

const INVISIBLE_EACH = new RegExp(INVISIBLE.source, "gu");
/** White space of any kind, line breaks and control characters. */
const BREAKS = /[\s\p{Cc}]+/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * A name from elsewhere as one of our own inputs would take it: on one line, without what is invisible or cannot be stored,
 * and of at most `max` characters. For names that cannot be refused, because their owner has paid. Null if nothing is left.
 */
export function asName(max: number, given: string): string | null {
  const visible = given.replace(INVISIBLE_EACH, "").replace(LONE_SURROGATES, "").replace(BREAKS, " ").trim();
  const name = isNoLongerThan(max, visible) ? visible : [...visible].slice(0, max).join("").trim();
  return name === "" ? null : name;
}
