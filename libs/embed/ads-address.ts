import { MOST_EXCLUDED } from "#libs/domain/serving-limits.ts";
import type { AdRequest } from "./types/embed.d.mts";

/** Where the ads of a request are asked for; `base` ends in a slash and has the API below it. */
export function adsAddress(base: string, request: AdRequest): string {
  const { workspace, count = 1, weightGte, weightLt, tierId, excludeIds = [] } = request;
  const query = new URLSearchParams({ count: String(count), proof: "1" });
  const filters = {
    "weight[gte]": weightGte,
    "weight[lt]": weightLt,
    tierId,
    excludeIds: excludeIds.length > 0 ? excludeIds.slice(-MOST_EXCLUDED) : undefined,
  };
  // A list as text has commas.
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) query.set(name, String(value));
  return `${base}v1/workspaces/${encodeURIComponent(workspace)}/ads/serving?${query}`;
}
