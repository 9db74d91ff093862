import { newStripeId } from "./ids.ts";
import type { Checkout, CheckoutSession, Price } from "./records.ts";

export interface CheckoutTerms {
  readonly price: Price;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly email: string | null;
  readonly clientReferenceId: string | null;
  readonly allowPromotionCodes: boolean | null;
  readonly paymentMethodCollection: "always" | "if_required";
  readonly expiresAt: number;
  readonly trialDays: number;
  readonly withoutCard: "cancel" | "create_invoice" | "pause";
  readonly feePercent: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
}

/** An open checkout session as Stripe makes it; its page is below the origin given. */
export function newCheckout(terms: CheckoutTerms, publicUrl: URL, now: number): Checkout {
  const id = newStripeId("cs_test");
  const amount = terms.trialDays > 0 ? 0 : (terms.price.unit_amount ?? 0);
  const session: CheckoutSession = {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: terms.allowPromotionCodes,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: terms.cancelUrl,
    client_reference_id: terms.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: terms.price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: terms.email,
    discounts: [],
    expires_at: terms.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: { ...terms.metadata },
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: terms.paymentMethodCollection,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: terms.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: new URL(`/sandbox/checkout/${id}`, publicUrl).href,
    wallet_options: null,
  };
  return {
    id,
    session,
    priceId: terms.price.id,
    trialDays: terms.trialDays,
    withoutCard: terms.withoutCard,
    feePercent: terms.feePercent,
    promotionCodeId: null,
    pendingSubscriptionId: null,
    subscriptionMetadata: terms.subscriptionMetadata,
  };
}
