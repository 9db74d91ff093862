/** What the address of a list with a form beside it holds: what is edited, by id, or `new`. */
export interface EditSearch {
  readonly edit?: string;
}

export const NEW = "new";
const LONGEST_ID = 100;

/** Reads the search of an address, which anybody may have written. */
export function readEditSearch({ edit }: Record<string, unknown>): EditSearch {
  return typeof edit === "string" && edit !== "" && edit.length <= LONGEST_ID ? { edit } : {};
}
