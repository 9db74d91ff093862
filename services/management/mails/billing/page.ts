import { type AddressKey, conflict, httpError, notFound } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { takeFromAddress } from "../../checkout/address-limit.ts";
import { type CheckoutRow, findCheckout } from "../../checkout/queries.ts";
import { checkoutAddress, whyUnpaid } from "../../checkout/sessions.ts";
import type { Services } from "../../services.ts";
import { type BilledRow, findBilled } from "./queries.ts";

/** Each request asks the processor for a page. */
const RATE: RateRule = { name: "billing-link", points: 20, durationSeconds: 60 };

/**
 * The processor's page where the subscription of a session is paid or managed: the newest invoice that is still to be
 * paid, else the customer's own pages. It is looked up when somebody goes there, as such pages do not last as long as
 * mails do. Throws `HttpError`: 429 for an address that asks too often, 404 for an unknown session, 409 before payment,
 * 502 when the processor does not answer.
 */
export async function findBillingPage(
  services: Services,
  { sessionId, address }: { readonly sessionId: string; readonly address: AddressKey },
): Promise<string> {
  await takeFromAddress(services, RATE, address);
  const session = await findCheckout(services.db, sessionId);
  if (session === undefined) throw notFound("Checkout session");
  const billed =
    session.subscription_id === null
      ? undefined
      : await findBilled(services.db, session.workspace_id, session.subscription_id);
  if (billed === undefined) throw conflict({ formErrors: [whyUnpaid(session, "Bills can be seen")] });
  return billed.hosted_url ?? (await findPortal(services, billed, session));
}

/** The customer is the subscription's own: the same address may have become another customer with each purchase. */
async function findPortal(
  { payments, publicUrl }: Services,
  { provider_subscription_id: id, provider_account: account }: BilledRow,
  session: CheckoutRow,
): Promise<string> {
  try {
    const { customerId } = await payments.readSubscription(id, account);
    const returnUrl = checkoutAddress(publicUrl, session.workspace_id, session.id);
    return await payments.portalLink({ account, providerCustomerId: customerId, returnUrl });
  } catch (error) {
    if (error instanceof PaymentsError) {
      throw httpError("PAYMENT_PROCESSOR_FAILED", undefined, { cause: error });
    }
    throw error;
  }
}
