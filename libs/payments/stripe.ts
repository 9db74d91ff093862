import { Stripe } from "stripe";
import { PaymentsError } from "./errors.ts";
import type {
  CheckoutRequest,
  Payments,
  PriceRequest,
  ProviderPrice,
  ProviderSubscription,
  StartedCheckout,
} from "./payments.ts";
import { callStripe, isMissing } from "./stripe-errors.ts";
import { ensureStripePrice } from "./stripe-prices.ts";
import { API_VERSION } from "./stripe-version.ts";
import { readCheckoutObject, readEventObject, readSubscriptionObject } from "./stripe-vocabulary.ts";

/** Where Stripe is and how long to wait for it. */
export interface PaymentsOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another server that speaks Stripe's API, such as the sandbox; default Stripe itself. */
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: "http" | "https";
  /** For one attempt, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /** Attempts after the first one fails without a clear answer; default 2. */
  readonly retries?: number;
}

/** Seconds that a webhook's signature stays good. */
const SIGNATURE_TOLERANCE = 300;

/** The parts of a subscription that come only when asked for. */
const WHOLE_SUBSCRIPTION = ["customer", "latest_invoice"];

/** Payments through Stripe's API. Opens no connection before the first call and holds nothing to close. */
export function createPayments(options: PaymentsOptions): Payments {
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.retries ?? 2,
    timeout: options.timeoutMs ?? 10_000,
    telemetry: false,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
  });

  async function readSubscription(id: string): Promise<ProviderSubscription> {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: WHOLE_SUBSCRIPTION });
    return readSubscriptionObject(subscription);
  }

  async function updateSubscription(
    id: string,
    change: Stripe.SubscriptionUpdateParams,
    idempotencyKey: string,
  ): Promise<ProviderSubscription> {
    const params = { ...change, expand: WHOLE_SUBSCRIPTION };
    return readSubscriptionObject(await stripe.subscriptions.update(id, params, { idempotencyKey }));
  }

  async function cancelNow(id: string, comment: string | undefined): Promise<ProviderSubscription> {
    try {
      const details = comment === undefined ? {} : { cancellation_details: { comment } };
      const params = { ...details, expand: WHOLE_SUBSCRIPTION };
      return readSubscriptionObject(await stripe.subscriptions.cancel(id, params));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Stripe no longer finds a subscription that has ended, and a retried DELETE has no idempotency key.
      return await readSubscription(id);
    }
  }

  return {
    ensurePrice: (request: PriceRequest): Promise<ProviderPrice> =>
      callStripe(() => ensureStripePrice(stripe, request)),

    createCheckoutSession: (request: CheckoutRequest): Promise<StartedCheckout> =>
      callStripe(async () => {
        const session = await stripe.checkout.sessions.create(checkoutParams(request), {
          idempotencyKey: request.idempotencyKey,
        });
        if (session.url === null) {
          throw new PaymentsError("PROCESSOR_FAILED", "The payment processor made a session without a page.");
        }
        return {
          providerSessionId: session.id,
          url: session.url,
          expiresAt: session.expires_at * 1000,
        };
      }),

    readCheckoutSession: (id) =>
      callStripe(async () => readCheckoutObject(await stripe.checkout.sessions.retrieve(id))),

    readSubscription: (id) => callStripe(() => readSubscription(id)),

    pauseSubscription: (id, { idempotencyKey }) =>
      callStripe(() => updateSubscription(id, { pause_collection: { behavior: "void" } }, idempotencyKey)),

    resumeSubscription: (id, { idempotencyKey }) =>
      callStripe(() => updateSubscription(id, { pause_collection: "" }, idempotencyKey)),

    cancelSubscription: (id, { atPeriodEnd, comment, idempotencyKey }) =>
      callStripe(() => {
        if (!atPeriodEnd) return cancelNow(id, comment);
        const details = comment === undefined ? {} : { cancellation_details: { comment } };
        return updateSubscription(id, { ...details, cancel_at_period_end: true }, idempotencyKey);
      }),

    portalLink: (customerId, returnUrl) =>
      callStripe(async () => {
        const params = { customer: customerId, return_url: returnUrl };
        return (await stripe.billingPortal.sessions.create(params)).url;
      }),

    parseWebhook: (rawBody, signature) =>
      readEventObject(verifiedEvent(stripe, rawBody, signature, options.webhookSecret)),
  };
}

function checkoutParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    ...request.metadata,
    workspaceId: request.workspaceId,
    tierPriceId: request.tierPriceId,
  };
  return {
    mode: "subscription",
    line_items: [{ price: request.providerPriceId, quantity: 1 }],
    success_url: request.successUrl,
    ...(request.cancelUrl === undefined ? {} : { cancel_url: request.cancelUrl }),
    ...(request.email === undefined ? {} : { customer_email: request.email }),
    client_reference_id: request.clientReferenceId,
    allow_promotion_codes: true,
    payment_method_collection: request.free ? "if_required" : "always",
    metadata,
    subscription_data: { metadata },
  };
}

function verifiedEvent(
  stripe: Stripe,
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(rawBody, signature ?? "", secret, SIGNATURE_TOLERANCE);
  } catch {
    throw new PaymentsError("BAD_SIGNATURE", "The webhook does not bear a valid, recent signature.");
  }
}
