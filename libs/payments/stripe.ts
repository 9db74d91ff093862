import { Stripe } from "stripe";
import { PaymentsError } from "./errors.ts";
import type { Payments } from "./payments.ts";
import { accountCalls } from "./stripe-accounts.ts";
import { checkoutCalls } from "./stripe-checkout.ts";
import { readAnswer } from "./stripe-errors.ts";
import { readEventObject } from "./stripe-events.ts";
import { moneyCalls } from "./stripe-money.ts";
import { priceCalls } from "./stripe-prices.ts";
import { subscriptionCalls } from "./stripe-subscriptions.ts";
import { API_VERSION } from "./stripe-version.ts";

/** Where Stripe is and how long to wait for it. */
export interface PaymentsOptions {
  readonly secretKey: string;
  /** What webhooks are signed with; several where several endpoints at Stripe lead here. */
  readonly webhookSecret: string | readonly string[];
  /** Another server that speaks Stripe's API, such as the sandbox; default Stripe itself. */
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: "http" | "https";
  /** For one attempt, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /** Attempts after the first one fails without a clear answer; default 2. */
  readonly retries?: number;
  /** What the platform keeps of each sale in a connected account, 0..100 with two decimals; default 0. */
  readonly applicationFeePercent?: number;
}

/** Seconds that a webhook's signature stays good. */
const SIGNATURE_TOLERANCE = 300;

/** Payments through Stripe's API. Opens no connection before the first call and holds nothing to close. */
export function createPayments(options: PaymentsOptions): Payments {
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.retries ?? 2,
    timeout: options.timeoutMs ?? 10_000,
    telemetry: false,
    // Its time-out is for the whole of an attempt; that of the SDK's other client starts again with each byte.
    httpClient: Stripe.createFetchHttpClient(),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
  });
  return {
    ...priceCalls(stripe),
    ...checkoutCalls(stripe, options.applicationFeePercent ?? 0),
    ...subscriptionCalls(stripe),
    ...moneyCalls(stripe),
    ...accountCalls(stripe),
    parseWebhook: (rawBody, signature) => {
      const event = verifiedEvent(stripe, rawBody, signature, options.webhookSecret);
      return readAnswer(() => readEventObject(event));
    },
  };
}

function verifiedEvent(
  stripe: Stripe,
  rawBody: Buffer,
  signature: string | undefined,
  secrets: string | readonly string[],
): Stripe.Event {
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    try {
      return stripe.webhooks.constructEvent(rawBody, signature ?? "", secret, SIGNATURE_TOLERANCE);
    } catch {
      // Another endpoint's, or nobody's.
    }
  }
  throw new PaymentsError("BAD_SIGNATURE", "The webhook does not bear a valid, recent signature.");
}
