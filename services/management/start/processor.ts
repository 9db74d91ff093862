import type { ConfigOf, paymentSettings } from "#libs/config/index.ts";
import type { PaymentsOptions } from "#libs/payments/index.ts";
import { isLoopback, StartError } from "#libs/process/index.ts";

export type StripeAccess = Pick<
  PaymentsOptions,
  "secretKey" | "webhookSecret" | "host" | "port" | "protocol"
>;

type Given = Pick<
  ConfigOf<typeof paymentSettings>,
  | "payments"
  | "stripeSecretKey"
  | "stripeWebhookSecret"
  | "stripeApiUrl"
  | "connect"
  | "applicationFeePercent"
>;

/** Access to Stripe by the settings, or null for the sandbox. Throws `StartError` for contradictory settings. */
export function chooseProcessor(given: Given, isLocal: boolean): StripeAccess | null {
  const { payments, stripeSecretKey, stripeWebhookSecret, stripeApiUrl } = given;
  if (given.applicationFeePercent > 0 && !given.connect) {
    throw new StartError("APPLICATION_FEE_PERCENT is taken from connected accounts: it needs CONNECT=true.");
  }
  if (payments === "sandbox") return null;
  if (stripeSecretKey !== undefined && stripeWebhookSecret !== undefined) {
    return { secretKey: stripeSecretKey, webhookSecret: stripeWebhookSecret, ...reach(stripeApiUrl) };
  }
  if (payments === "stripe" || stripeSecretKey !== undefined) {
    throw new StartError("Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.");
  }
  if (!isLocal) {
    throw new StartError(
      "Payments would be a sandbox that others can reach: set STRIPE_SECRET_KEY, or PAYMENTS=sandbox to confirm that.",
    );
  }
  return null;
}

function reach(apiUrl: string | undefined): Pick<StripeAccess, "host" | "port" | "protocol"> {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port, pathname } = new URL(apiUrl);
  if (pathname !== "/") throw new StartError("STRIPE_API_URL is an origin: it must not have a path.");
  if (protocol === "https:") return { protocol: "https", host: hostname, port: Number(port || 443) };
  if (!isLoopback(hostname)) {
    throw new StartError("STRIPE_API_URL has to be https: Stripe's key would cross the network unencrypted.");
  }
  return { protocol: "http", host: hostname, port: Number(port || 80) };
}
