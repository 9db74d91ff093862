/** The address in its normal form where it is an absolute http or https one, else null: `javascript:` is a link to no one. */
export function webAddress(given: unknown): string | null {
  if (typeof given !== "string" || !/^https?:\/\//i.test(given)) return null;
  try {
    return new URL(given).href;
  } catch {
    return null;
  }
}
