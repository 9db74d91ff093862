import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { isNoLongerThan, isStorable } from "#libs/domain/storable-text.ts";

type Search = Readonly<Record<string, unknown>>;

/** Reads the page of a list from an address. The first page stays out of the address. */
export function readPageSearch({ page: given }: Search): { readonly page?: number } {
  // An address may hold an object too, and not every object converts to a number.
  const page = typeof given === "number" || typeof given === "string" ? Number(given) : Number.NaN;
  return Number.isSafeInteger(page) && page > 1 ? { page } : {};
}

/** Reads a search text from an address, where `?q=2024` arrives as a number. Text that no name can contain is blank. */
export function readText(given: unknown): string {
  const isText = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
  const text = isText ? String(given).trim() : "";
  return isNoLongerThan(LONGEST_EMAIL, text) && isStorable(text) ? text : "";
}

/** The choice that the value names; null for anything else. */
export function oneOf<T extends string>(choices: readonly T[], given: unknown): T | null {
  return choices.find((choice) => choice === given) ?? null;
}

/** What the address of a list edits instead of an id, for an item that does not exist yet. */
export const NEW = "new";
const LONGEST_ID = 100;

/** Reads which item of a list is being edited from an address: its id, or `new`. */
export function readEditSearch({ edit }: Search): { readonly edit?: string } {
  return typeof edit === "string" && edit !== "" && edit.length <= LONGEST_ID ? { edit } : {};
}
