import { asciiWords } from "./ascii-words.ts";

/** What names a workspace in addresses; 2 to 60 characters. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const LONGEST_SLUG = 60;
const SHORTEST_SLUG = 2;
const FALLBACK = "workspace";

/** Whether the text could be a workspace's slug. */
export function isSlug(text: string): boolean {
  return text.length <= LONGEST_SLUG && SLUG.test(text);
}

/**
 * A slug made from a workspace's name, of the form `SLUG` and 2 to 60 characters long. Names without a Latin letter, or
 * with too little of one, get `workspace` in front. `ending`, lower-case letters and digits, is appended for when the slug
 * without it is taken.
 */
export function slugFromName(name: string, ending = ""): string {
  const plain = asciiWords(name).join("-");
  const isEnough = /[a-z]/.test(plain) && plain.length >= SHORTEST_SLUG;
  const base = isEnough ? plain : [FALLBACK, plain].filter((part) => part !== "").join("-");
  const suffix = ending === "" ? "" : `-${ending}`;
  return base.slice(0, LONGEST_SLUG - suffix.length).replace(/-$/, "") + suffix;
}
