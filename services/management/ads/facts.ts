import type { AuditValues } from "#libs/database/tables.ts";
import type { ServingFacts } from "#libs/domain/eligibility.ts";
import { submittedValues } from "../image-copies/elsewhere.ts";
import type { ProposedCreative } from "./creative.ts";
import type { AdRow } from "./queries.ts";

/** What decides whether an ad may be served. */
export function servingFacts(ad: AdRow): ServingFacts {
  return {
    adStatus: ad.status,
    subscriptionStatus: ad.subscription_status,
    cancelAtPeriodEnd: ad.cancel_at_period_end,
    cancelAt: ad.cancel_at?.getTime() ?? null,
    currentPeriodEnd: ad.current_period_end?.getTime() ?? null,
  };
}

/** What the audit log compares of an ad before and after a change. */
export function auditedAd(ad: AdRow): AuditValues {
  return {
    ...auditedCreative(ad),
    status: ad.status,
    reviewedAt: ad.reviewed_at?.toISOString() ?? null,
    rejectionNote: ad.rejection_note,
    subscription: { status: ad.subscription_status },
  };
}

/** The creative of an ad or a revision, for the audit log. */
export function auditedCreative(row: ProposedCreative) {
  const meta = Object.entries(submittedValues(row)).map(([fieldId, value]) => ({ fieldId, value }));
  return { name: row.name, websiteUrl: row.website_url, meta };
}
