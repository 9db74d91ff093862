import { z } from "zod";
import { secret, setting } from "./setting.ts";
import { between, flag, httpUrl, text } from "./shapes.ts";

/** Money. */
export const paymentSettings = {
  payments: setting(
    "PAYMENTS",
    z.enum(["sandbox", "stripe"], 'must be "sandbox" or "stripe"').optional(),
    "sandbox: no money moves, and every page says so. stripe: needs STRIPE_SECRET_KEY.",
    "stripe with a key, otherwise sandbox, which has to be set here unless PUBLIC_URL is this machine",
  ),
  stripeSecretKey: secret(
    "STRIPE_SECRET_KEY",
    text.regex(/^[rs]k_/, "must be a secret or a restricted key, sk_… or rk_…").optional(),
    "Stripe's secret or restricted key.",
  ),
  stripeWebhookSecret: secret(
    "STRIPE_WEBHOOK_SECRET",
    text
      .transform((given) => given.split(",").map((one) => one.trim()))
      .refine(
        (secrets) => secrets.every((one) => one.startsWith("whsec_")),
        "must be signing secrets, whsec_…, joined by commas",
      )
      .optional(),
    "Comma-joined signing secrets of the webhook endpoints at {PUBLIC_URL}/v1/webhooks/stripe. Needed with STRIPE_SECRET_KEY.",
  ),
  stripeApiUrl: setting(
    "STRIPE_API_URL",
    httpUrl.optional(),
    "Another server that speaks Stripe's API, for tests. It needs https, unless it is on this machine.",
    "Stripe itself",
  ),
  connect: setting(
    "CONNECT",
    flag.default(false),
    "Each workspace sells in its own Stripe account, connected to the platform's.",
    ", all sell in the platform's",
  ),
  applicationFeePercent: setting(
    "APPLICATION_FEE_PERCENT",
    z.coerce
      .number("must be a number")
      .min(0, "must be between 0 and 100")
      .max(100, "must be between 0 and 100")
      .refine((percent) => Number(percent.toFixed(2)) === percent, "must have at most two decimals")
      .default(0),
    "Percent of each sale in a connected account that the platform keeps. Needs CONNECT=true.",
  ),
  trialDays: setting(
    "TRIAL_DAYS",
    between(0, 730).default(0),
    "Days before the first charge in which an advertiser tries a placement. Free prices have no trial.",
    ", none",
  ),
};
