import { malformedBody } from "./http-error.ts";

export const NOT_JSON = "The body is not valid JSON.";
/** Nothing in the contract nests deeper than a dozen levels. */
const MOST_LEVELS = 32;
/** 1,000 events with every property have half as many. */
const MOST_VALUES = 20_000;
/** A shorter text has nothing that is expensive. */
const SHORT = 4 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
/** In ASCII a brace is a bracket with this bit set. */
const BRACE = 32;
const OPENING = 123;
const CLOSING = 125;

/**
 * What makes a JSON text expensive to parse, as a sentence; null for nothing. A megabyte of brackets or of keys would keep the
 * process busy for a tenth of a second and more; this takes a few milliseconds. It does not check that the text is JSON.
 */
export function costOfJson(text: string): string | null {
  if (text.length <= SHORT) return null;
  let level = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if ((code | BRACE) === OPENING) {
      level += 1;
      values += 1;
      if (level > MOST_LEVELS) return `The body is nested more than ${MOST_LEVELS} levels deep.`;
    } else if ((code | BRACE) === CLOSING) level -= 1;
    if (values > MOST_VALUES) return `The body has more than ${MOST_VALUES.toLocaleString("en")} values.`;
  }
  return null;
}

/** The value of a JSON text. Throws 422 with the sentence for a text that is not JSON. */
export function parseJson(text: string, sentence = NOT_JSON): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedBody(sentence);
  }
}

/** The position of the quote that ends the string which begins at `start`; the text's length if none does. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    const isEscaped = (quote - before) % 2 === 0;
    if (!isEscaped) return quote;
  }
  return text.length;
}
