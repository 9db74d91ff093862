import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { ApprovalEffect } from "../mail/decision-letters.ts";
import { servingFacts } from "../snapshots/publish.ts";
import type { AdRow } from "./queries.ts";

/** What an approval of an ad, or of an edit of it, brings to its advertiser. */
export function effectOfApproval(ad: AdRow, now: ProcessorTime): ApprovalEffect {
  const reasons = reasonsNotServed(servingFacts({ ...ad, status: "Approved" }), now);
  if (reasons.length === 0) return "live";
  return reasons.every(({ code }) => code === "SUBSCRIPTION_NOT_CHARGED") ? "first payment" : "off";
}
