import { missing } from "./api-error.ts";
import type { Range, Selection, Store } from "./record-shelf.ts";
import type { List, RecordKind, Records } from "./records.ts";

const DEFAULT_LIMIT = 10;

/** The parameters that every list takes. */
export interface Listing {
  readonly limit?: number | undefined;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
  readonly created?: number | Range | undefined;
}

/** One page of the objects of a kind, newest first, as Stripe's lists go. */
export function pageOf<K extends RecordKind>(
  records: Store,
  kind: K,
  url: string,
  params: Listing,
  where: Selection["where"] = {},
): List<Records[K]> {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before, created } = params;
  for (const [param, id] of Object.entries({ starting_after: after, ending_before: before })) {
    if (id !== undefined && records.find(kind, id) === undefined) throw missing(kind, id, param);
  }
  const found = records.list(kind, { where: { ...where, created }, after, before, limit: limit + 1 });
  const data = found.slice(0, limit);
  if (before !== undefined) data.reverse();
  return { object: "list", data, has_more: found.length > limit, url };
}
