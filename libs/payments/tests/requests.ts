import { newId } from "#libs/domain/ids.ts";
import type { CheckoutRequest, Payments, PriceRequest, Write } from "../index.ts";

/** A price of 49 euro a month in a tier of its own, unless said otherwise. */
export function aPrice(changes: Partial<PriceRequest> = {}): PriceRequest {
  return {
    account: null,
    workspaceId: newId("workspace"),
    tierId: newId("tier"),
    tierName: "Front page",
    tierPriceId: newId("price"),
    interval: "Month",
    intervalCount: 1,
    amount: 4900,
    currency: "eur",
    ...changes,
  };
}

/** A write of its own, to the platform's account. */
export function aWrite(): Write {
  return { account: null, idempotencyKey: crypto.randomUUID() };
}

/** Makes the price known to the processor and opens a checkout for it. */
export async function openCheckout(
  payments: Payments,
  price: PriceRequest = aPrice(),
  changes: Partial<CheckoutRequest> = {},
) {
  const { processorPriceId } = await payments.ensurePrice(price);
  const clientReferenceId = newId("advertiser");
  return payments.createCheckoutSession({
    account: price.account,
    workspaceId: price.workspaceId,
    tierPriceId: price.tierPriceId,
    processorPriceId,
    free: price.amount === 0,
    chargeAt: "purchase",
    trialDays: null,
    allowPromotionCodes: true,
    successUrl: "http://127.0.0.1/thanks?session={CHECKOUT_SESSION_ID}",
    cancelUrl: "http://127.0.0.1/pricing",
    clientReferenceId,
    idempotencyKey: clientReferenceId,
    ...changes,
  });
}
