/** Latin letters that no normalisation takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŋ: "ng",
};

/** Names are at most 80 characters; what lies beyond would be cut off anyway. */
const MOST_CHARACTERS = 200;

/**
 * The words of a name in lower-case ASCII letters and digits: accents are dropped (`Café` is `cafe`), other scripts and
 * punctuation part words and vanish. Empty for a name without any Latin letter or digit.
 */
export function asciiWords(name: string): string[] {
  return (
    name
      .slice(0, MOST_CHARACTERS)
      .toLowerCase()
      .normalize("NFKD")
      .toLowerCase()
      // Apostrophes join: "Baker's" is one word.
      .replace(/[\p{M}'’]/gu, "")
      .replace(/[ßæœøłđðþħıŋ]/g, (letter) => LETTERS[letter] ?? "")
      .match(/[a-z0-9]+/g) ?? []
  );
}
