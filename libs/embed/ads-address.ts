import { MOST_EXCLUDED } from "#libs/domain/serving-limits.ts";
import type { AdRequest } from "./types/embed.d.mts";

/** Where the ads of a request are asked for; `base` ends in a slash and has the API below it. */
export function adsAddress(base: string, request: AdRequest): string {
  const { workspace, count = 1, weightGte, weightLt, tierId, excludeIds = [] } = request;
  const query = new URLSearchParams({ count: String(count), proof: "1" });
  if (weightGte !== undefined) query.set("weight[gte]", String(weightGte));
  if (weightLt !== undefined) query.set("weight[lt]", String(weightLt));
  if (tierId !== undefined) query.set("tierId", [tierId].flat().join(","));
  if (excludeIds.length > 0) query.set("excludeIds", excludeIds.slice(-MOST_EXCLUDED).join(","));
  return `${base}v1/workspaces/${encodeURIComponent(workspace)}/ads/serving?${query}`;
}
