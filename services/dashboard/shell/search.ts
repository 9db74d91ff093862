/** The page of a list that an address names; nothing for the first, so that it stays out of the address. */
export function readPageNumber(value: unknown): { readonly page?: number } {
  // An address may hold an object too, and not every object is ready to be a number.
  const page = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(page) && page > 1 ? { page } : {};
}
