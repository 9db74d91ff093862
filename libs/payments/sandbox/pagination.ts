import { missing } from "./api-error.ts";
import type { List } from "./records.ts";

const DEFAULT_LIMIT = 10;

/** One page of a collection that is sorted newest first. */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  url: string,
  params: { readonly limit?: number | undefined; readonly starting_after?: string | undefined },
): List<T> {
  const { limit = DEFAULT_LIMIT, starting_after: after } = params;
  const previous = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && previous < 0) throw missing("object", after, "starting_after");
  const data = all.slice(previous + 1, previous + 1 + limit);
  return { object: "list", data, has_more: previous + 1 + limit < all.length, url };
}
