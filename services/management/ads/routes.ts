import { reasonsNotServed, servingEnd } from "#libs/domain/eligibility.ts";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api/api.ts";
import { inPageTurn } from "../api/turns.ts";
import { servingFacts } from "../snapshots/publish.ts";
import { type DecisionPorts, decisionRoutes } from "./decisions.ts";
import { adListRoutes } from "./list-routes.ts";
import { asTimestamp, presentAd, presentToReview } from "./present.ts";
import { publisherValuesRoutes } from "./publisher-values.ts";
import { findAd, findShownAd } from "./queries.ts";
import { readReviewQueue } from "./review-queue.ts";
import { adStatsRoutes, type StatsPorts } from "./stats.ts";

export const adRoutes = (ports: DecisionPorts & StatsPorts) => ({
  ...adListRoutes(ports),

  get: forMembers(api.ads.get, async ({ input, context: { db, access } }) => {
    const row = await findShownAd(db, access.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    return presentAd(row, new Set(row.field_ids));
  }),

  toReview: forMembers(api.ads.toReview, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const read = () => readReviewQueue(db, workspaceId, input);
    const { counts, envelope, rows } = await inPageTurn(db, workspaceId, reply.raw, read);
    return { ...envelope, ...counts, items: rows.map(presentToReview) };
  }),

  eligibility: forMembers(api.ads.eligibility, async ({ input, context: { db, access } }) => {
    const row = await findAd(db, access.workspaceId, input.adId);
    if (row === undefined) throw notFound("Ad");
    const facts = servingFacts(row);
    const reasons = reasonsNotServed(facts, ports.payments.moment(ports.now()).atProcessor);
    return {
      eligible: reasons.length === 0,
      reasons,
      servingSince: row.serving_since?.toISOString() ?? null,
      // An end to come is the processor's; one that has come was in real time.
      servingUntil:
        reasons.length === 0 ? asTimestamp(servingEnd(facts)) : (row.serving_until?.toISOString() ?? null),
      graceEndsAt: asTimestamp(facts.graceEndsAt),
    };
  }),

  ...adStatsRoutes(ports),
  ...decisionRoutes(ports),
  ...publisherValuesRoutes(ports),
});
