import { createHash } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { addressKeyOf, notFound } from "#libs/http/index.ts";
import { presentRevision, presentSubmittedAd } from "../../ads/present.ts";
import { findRevision } from "../../ads/revisions/queries.ts";
import { api, forAnybody } from "../../api/api.ts";
import type { Claim } from "../../api/idempotency/claims.ts";
import { type CheckoutRow, findSubmittedAd } from "../../billing/checkout/queries.ts";
import { startCheckout } from "../../billing/checkout/sale.ts";
import { currentCheckout, unpaid } from "../../billing/checkout/sessions.ts";
import { listFieldsForAdvertisers } from "../../catalogue/fields/queries.ts";
import { presentField } from "../../catalogue/fields/values.ts";
import { grantUpload } from "../../media/uploads/records.ts";
import { isPaidFor } from "../../store/paid-for.ts";
import { inWorkspace, type SellingPorts } from "../ports.ts";
import { priceOf } from "../submission/visit.ts";
import { takeFreeShare } from "./free-share.ts";
import { submitAd } from "./submission.ts";

/** The endpoints of advertisers. Values of publisher-only fields never get into their answers. */
export const checkoutRoutes = (ports: SellingPorts) => ({
  create: forAnybody(api.checkout.create, async ({ input, context: { reply } }) =>
    startCheckout(inWorkspace(ports, input.workspaceId), {
      workspaceId: input.workspaceId,
      tierPriceId: input.tierPriceId,
      email: input.email,
      cancelUrl: input.cancelUrl,
      successUrl: input.successUrl,
      clientReference: input.clientReference,
      metadata: input.metadata,
      intent: intentOf(reply.request.claim),
      caller: addressKeyOf(reply.request),
    }),
  ),

  get: forAnybody(api.checkout.get, async ({ input }) => {
    const { session, own } = await openSession(ports, input.sessionId);
    const fields = await listFieldsForAdvertisers(own.db, session.workspace_id);
    return presentCheckout(session, fields, await findSubmittedAd(own.db, session.subscription_id));
  }),

  submit: forAnybody(api.checkout.submit, async ({ input, context: { reply } }) => {
    const { sessionId, ...submission } = input;
    const ad = await submitAd(ports, sessionId, submission, addressKeyOf(reply.request));
    return presentSubmittedAd(ad, await advertisersFieldIds(ports.db, ad.workspace_id));
  }),

  revision: forAnybody(api.checkout.revision, async ({ input }) => {
    const { session, own } = await openSession(ports, input.sessionId);
    const ad = await findSubmittedAd(own.db, session.subscription_id);
    const open = ad === undefined ? undefined : await findRevision(own.db, ad.workspace_id, ad.id);
    if (open === undefined) throw notFound("Revision");
    return presentRevision(open, await advertisersFieldIds(own.db, session.workspace_id));
  }),

  upload: forAnybody(api.checkout.upload, async ({ input, context: { reply } }) => {
    const { session, own } = await openSession(ports, input.sessionId);
    const { workspace_id: workspaceId, id: sessionId, subscription_id: subscriptionId } = session;
    if (session.status !== "complete" || subscriptionId === null) {
      throw unpaid(session, "Images can be uploaded");
    }
    const isFree = !(await isPaidFor(own.db, workspaceId, subscriptionId));
    if (isFree) {
      const bytes = input.contentLength;
      await takeFreeShare(own, workspaceId, addressKeyOf(reply.request), { bytes });
    }
    const request = { ...input, workspaceId, now: ports.now() };
    return await grantUpload(own, request, { isFree, sessionId });
  }),
});

/** The session as it is now, and the ports of its workspace. */
async function openSession(ports: SellingPorts, sessionId: string) {
  const session = await currentCheckout(ports, sessionId);
  return { session, own: inWorkspace(ports, session.workspace_id) };
}

async function advertisersFieldIds(db: Kysely<Tables>, workspaceId: string): Promise<Set<string>> {
  const fields = await listFieldsForAdvertisers(db, workspaceId);
  return new Set(fields.map(({ id }) => id));
}

/** A request repeated under its `Idempotency-Key` after a failure has the same intent; any other has its own. */
function intentOf(claim: Claim | null): string {
  if (claim === null) return crypto.randomUUID();
  return createHash("sha256").update(`${claim.caller}\n${claim.key}\n`).update(claim.hash).digest("hex");
}

/** A checkout session with the fields that its advertiser fills in, and the ad once it is submitted. */
function presentCheckout(
  session: CheckoutRow,
  fields: readonly Selectable<Tables["fields"]>[],
  ad: Selectable<Tables["ads"]> | undefined,
) {
  return {
    status: session.status,
    subscriptionId: session.subscription_id,
    workspace: { id: session.workspace_id, name: session.workspace_name },
    tier: {
      id: session.tier_id,
      name: session.tier_name,
      description: session.tier_description,
      weight: session.tier_weight,
      features: session.tier_features,
    },
    tierPrice: { id: session.price_id, ...priceOf({ session }) },
    fields: fields.map(presentField),
    ad: ad === undefined ? null : presentSubmittedAd(ad, new Set(fields.map(({ id }) => id))),
  };
}
