import { Stripe } from "stripe";
import { momentAt } from "#libs/domain/moment.ts";
import { PaymentsError } from "./errors.ts";
import type { Payments } from "./payments.ts";
import { accountCalls } from "./stripe-accounts.ts";
import { checkoutCalls } from "./stripe-checkout.ts";
import { readEvent } from "./stripe-events.ts";
import { invoiceCalls } from "./stripe-invoices.ts";
import { moneyCalls } from "./stripe-money.ts";
import { priceCalls } from "./stripe-prices.ts";
import { refundCalls } from "./stripe-refunds.ts";
import { API_VERSION } from "./stripe-request.ts";
import { subscriptionCalls } from "./stripe-subscriptions.ts";

/** The address of Stripe, the secrets, and how long to wait for an answer. */
export interface PaymentsOptions {
  readonly secretKey: string;
  /** Verifies webhooks; several secrets where several endpoints at Stripe lead here. */
  readonly webhookSecret: string | readonly string[];
  /** Another server that speaks Stripe's API, such as the sandbox; default Stripe itself. */
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: "http" | "https";
  /** How far the clock of that server is ahead of the machine's, in milliseconds; default 0, as with Stripe itself. */
  readonly clockAhead?: () => number;
  /** For one attempt, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /** Retries of an attempt that fails without a clear answer; default 2. */
  readonly retries?: number;
  /** The platform's share of each sale in a connected account, 0..100 with two decimals; default 0. */
  readonly applicationFeePercent?: number;
}

/** Seconds for which a webhook's signature is valid. */
const SIGNATURE_TOLERANCE = 300;

/** Payments through Stripe's API. It connects at the first call, and there is nothing to close. */
export function createPayments(options: PaymentsOptions): Payments {
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.retries ?? 2,
    timeout: options.timeoutMs ?? 10_000,
    telemetry: false,
    // Its timeout covers a whole attempt; the timeout of the SDK's other client restarts with each byte.
    httpClient: Stripe.createFetchHttpClient(),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
  });
  const { clockAhead = () => 0 } = options;
  return {
    moment: (now) => momentAt(now, clockAhead()),
    ...priceCalls(stripe),
    ...checkoutCalls(stripe, options.applicationFeePercent ?? 0),
    ...subscriptionCalls(stripe, () => Date.now() + clockAhead()),
    ...moneyCalls(stripe),
    ...invoiceCalls(stripe),
    ...refundCalls(stripe),
    ...accountCalls(stripe),
    parseWebhook: (rawBody, signature) => {
      const event = verifiedEvent(stripe, rawBody, signature, options.webhookSecret);
      return readEvent(event);
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
      // Signed for another endpoint, or not at all.
    }
  }
  throw new PaymentsError("BAD_SIGNATURE", "The webhook does not bear a valid, recent signature.");
}
