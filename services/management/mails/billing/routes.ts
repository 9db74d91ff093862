import type { FastifyInstance } from "fastify";
import { conflict, httpError, notFound, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { findCheckout } from "../../checkout/queries.ts";
import { checkoutAddress, whyUnpaid } from "../../checkout/sessions.ts";
import type { Services } from "../../services.ts";
import { type BilledRow, findBilled } from "./queries.ts";

/** Each request asks the processor for a page. */
const RATE: RateRule = { name: "billing-link", points: 20, durationSeconds: 60 };

/**
 * `GET /v1/checkout-sessions/{sessionId}/billing`: where mails send an advertiser whose payment failed. Redirects to the
 * processor's page for it, which is looked up when the link is followed, as such pages do not last as long as mails do.
 * 404 for an unknown session, 409 before payment, 502 when the processor does not answer.
 */
export function billingLinkRoutes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { sessionId: string } }>(
    "/v1/checkout-sessions/:sessionId/billing",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const rate = await services.limits.consume(RATE, request.ip);
      if (!rate.allowed) throw tooManyRequests(rate.resetMs);
      const { sessionId } = request.params;
      const session = await findCheckout(services.db, sessionId);
      if (session === undefined) throw notFound("Checkout session");
      const billed =
        session.subscription_id === null
          ? undefined
          : await findBilled(services.db, session.workspace_id, session.subscription_id);
      if (billed === undefined) throw conflict({ formErrors: [whyUnpaid(session, "Bills can be seen")] });
      const page = billed.hosted_url ?? (await findPortal(services, billed, sessionId));
      return reply.header("cache-control", "no-store").redirect(page, 303);
    },
  );
}

/** The customer is the subscription's own: the same address may have become another customer with each purchase. */
async function findPortal(
  { payments, publicUrl }: Services,
  { provider_subscription_id: id, provider_account: account }: BilledRow,
  sessionId: string,
): Promise<string> {
  try {
    const { customerId } = await payments.readSubscription(id, account);
    const returnUrl = checkoutAddress(publicUrl, sessionId);
    return await payments.portalLink({ account, providerCustomerId: customerId, returnUrl });
  } catch (error) {
    if (error instanceof PaymentsError) {
      throw httpError("PAYMENT_PROCESSOR_FAILED", undefined, { cause: error });
    }
    throw error;
  }
}
