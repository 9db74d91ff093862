/** Characters of an id after its prefix and the underscore. Digits alone are legal, so a number with leading zeros is an id. */
export const LETTERS_OF_AN_ID = 26;

/** The id that the seed gives to the thing of that number. */
export function seedId(prefix: "ws" | "ad" | "tier" | "usr" | "mem" | "key", number: number): string {
  return `${prefix}_${String(number).padStart(LETTERS_OF_AN_ID, "0")}`;
}
