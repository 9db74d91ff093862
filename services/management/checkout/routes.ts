import { createHash } from "node:crypto";
import { conflict, notFound } from "#libs/http/index.ts";
import { presentSubmittedAd } from "../ads/present.ts";
import { api, forAnybody } from "../api.ts";
import { listFieldsForAdvertisers } from "../fields/queries.ts";
import type { Claim } from "../idempotency/claims.ts";
import { presentRevision } from "../revisions/present.ts";
import { findRevision } from "../revisions/queries.ts";
import { inWorkspace, type Services } from "../services.ts";
import { grantUpload } from "../uploads/records.ts";
import { presentCheckout } from "./present.ts";
import { findSubmittedAd } from "./queries.ts";
import { startCheckout } from "./sale.ts";
import { currentCheckout, whyUnpaid } from "./sessions.ts";
import { submitAd } from "./submission.ts";

/** Grants that a checkout may have open beside two for each image field: for second thoughts and lost connections. */
const SPARE_GRANTS = 10;

/** What an advertiser does. Values of publisher-only fields never get into these answers. */
export const checkoutRoutes = {
  create: forAnybody(api.checkout.create, async ({ input, context: { services, reply } }) =>
    startCheckout(inWorkspace(services, input.workspaceId), {
      workspaceId: input.workspaceId,
      tierPriceId: input.tierPriceId,
      email: input.email,
      cancelUrl: input.cancelUrl,
      intent: intentOf(reply.request.claim),
    }),
  ),

  get: forAnybody(api.checkout.get, async ({ input, context: { services } }) => {
    const session = await currentCheckout(services, input.sessionId);
    const { db } = inWorkspace(services, session.workspace_id);
    const fields = await listFieldsForAdvertisers(db, session.workspace_id);
    return presentCheckout(session, fields, await findSubmittedAd(db, session.subscription_id));
  }),

  submit: forAnybody(api.checkout.submit, async ({ input, context: { services } }) => {
    const ad = await submitAd(services, input.sessionId, {
      name: input.name,
      websiteUrl: input.websiteUrl,
      meta: input.meta,
    });
    return presentSubmittedAd(ad, await advertisersFieldIds(services, ad.workspace_id));
  }),

  revision: forAnybody(api.checkout.revision, async ({ input, context: { services } }) => {
    const session = await currentCheckout(services, input.sessionId);
    const own = inWorkspace(services, session.workspace_id);
    const ad = await findSubmittedAd(own.db, session.subscription_id);
    const open = ad === undefined ? undefined : await findRevision(own.db, ad.workspace_id, ad.id);
    if (open === undefined) throw notFound("Revision");
    return presentRevision(open, await advertisersFieldIds(own, session.workspace_id));
  }),

  upload: forAnybody(api.checkout.upload, async ({ input, context: { services } }) => {
    const session = await currentCheckout(services, input.sessionId);
    if (session.status !== "complete") {
      throw conflict({ formErrors: [whyUnpaid(session, "Images can be uploaded")] });
    }
    const { workspace_id: workspaceId, id: sessionId } = session;
    const own = inWorkspace(services, workspaceId);
    const fields = await listFieldsForAdvertisers(own.db, workspaceId);
    const mostOpen = 2 * fields.filter(({ type }) => type === "Image").length + SPARE_GRANTS;
    const request = { ...input, workspaceId, now: services.now() };
    return await grantUpload(own, request, { sessionId, mostOpen });
  }),
};

async function advertisersFieldIds({ db }: Services, workspaceId: string): Promise<Set<string>> {
  const fields = await listFieldsForAdvertisers(db, workspaceId);
  return new Set(fields.map(({ id }) => id));
}

/** A request that is repeated under its `Idempotency-Key` after a failure is the same intent; any other is its own. */
function intentOf(claim: Claim | null): string {
  if (claim === null) return crypto.randomUUID();
  return createHash("sha256").update(`${claim.caller}\n${claim.key}\n`).update(claim.hash).digest("hex");
}
