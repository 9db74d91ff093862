/** Reads a decimal number that is not negative, with a point or a comma; null for anything else. */
export function readDecimal(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain)) return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}

/** Reads a whole number from 1; null for anything else. */
export function readWhole(text: string): number | null {
  const number = Number(text);
  return /^\s*\d+\s*$/.test(text) && Number.isSafeInteger(number) && number >= 1 ? number : null;
}
