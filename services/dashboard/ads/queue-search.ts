import { oneOf, readEditSearch, readPageSearch } from "../components/search.ts";

interface QueueSearch {
  readonly kind?: "ad" | "revision";
  readonly tier?: string;
  readonly page?: number;
}

/** Reads what of the review queue is shown from its address. Defaults stay out of the address. */
export function readQueueSearch(search: Readonly<Record<string, unknown>>): QueueSearch {
  const kind = oneOf(["ad", "revision"] as const, search.kind);
  const { edit: tier } = readEditSearch({ edit: search.tier });
  return {
    ...(kind === null ? {} : { kind }),
    ...(tier === undefined ? {} : { tier }),
    ...readPageSearch(search),
  };
}
