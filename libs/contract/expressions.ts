// Parts of the patterns in the interface description, in expressions that every regex engine reads alike.

/** What no text may contain; white space is none of it. */
export const CONTROLS = String.raw`\u0000-\u0008\u000e-\u001f\u007f-\u009f`;
/** What trimming takes away. */
const SPACES = String.raw`\t\n\u000b\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
/** What ends a line, controls aside. */
export const LINE_BREAKS = String.raw`\n\u000b\f\r\u2028\u2029`;

/** What shows nothing, or turns text around; a zero-width joiner is none of them, as writing and emoji need it. */
const INVISIBLE = String.raw`\u200b\u2060\u202a-\u202e\u2066-\u2069`;

export const ANY = `[^${CONTROLS}]`;
export const SPACE = `[${SPACES}]`;
export const INK = `[^${CONTROLS}${SPACES}]`;
export const SEEN = `[^${CONTROLS}${INVISIBLE}]`;
export const SEEN_INK = `[^${CONTROLS}${SPACES}${INVISIBLE}]`;

/** An http or https address as far as an expression can tell: that its host can be one is for a URL parser to say. */
export const WEB_ADDRESS = `[Hh][Tt][Tt][Pp][Ss]?://[^${CONTROLS}${SPACES}/\\\\?#]${INK}*`;
