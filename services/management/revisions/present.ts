import { presentMeta } from "../ads/present.ts";
import type { RevisionRow } from "./queries.ts";

/** An open revision with the values of those fields. */
export function presentRevision(row: RevisionRow, fieldIds: ReadonlySet<string>) {
  return {
    adId: row.ad_id,
    name: row.name,
    websiteUrl: row.website_url,
    meta: presentMeta(row, fieldIds),
    note: row.note,
    submittedAt: row.submitted_at.toISOString(),
  };
}
