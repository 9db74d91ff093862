import { asciiWords } from "./ascii-words.ts";
import { LONGEST, SHORTEST } from "./limits.ts";

/** What names a workspace in addresses; 2 to 60 characters. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const FALLBACK = "workspace";

/** Whether the text could be a workspace's slug. */
export function isSlug(text: string): boolean {
  return text.length <= LONGEST.slug && SLUG.test(text);
}

/**
 * A slug made from a workspace's name, of the form `SLUG` and 2 to 60 characters long. Names without a Latin letter, or
 * with too little of one, get `workspace` in front. `ending`, lower-case letters and digits, is appended for when the slug
 * without it is taken.
 */
export function slugFromName(name: string, ending = ""): string {
  const plain = asciiWords(name).join("-");
  const isEnough = /[a-z]/.test(plain) && plain.length >= SHORTEST.slug;
  const base = isEnough ? plain : [FALLBACK, plain].filter((part) => part !== "").join("-");
  const suffix = ending === "" ? "" : `-${ending}`;
  return base.slice(0, LONGEST.slug - suffix.length).replace(/-$/, "") + suffix;
}
