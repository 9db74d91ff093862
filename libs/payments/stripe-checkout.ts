import type { Stripe } from "stripe";
import type { Account } from "./accounts.ts";
import type { CheckoutRequest } from "./checkouts.ts";
import { PaymentsError } from "./errors.ts";
import type { Payments } from "./payments.ts";
import { answered, callStripe, isRefusal } from "./stripe-errors.ts";
import { inAccount, newIntent, writeIn } from "./stripe-request.ts";
import { AWAITS_APPROVAL, chargedAtApproval, readCheckoutObject } from "./stripe-vocabulary.ts";

/** The hosted pages for advertisers. */
export function checkoutCalls(
  stripe: Stripe,
  applicationFeePercent: number,
): Pick<
  Payments,
  | "createCheckoutSession"
  | "readCheckoutSession"
  | "findCheckoutSession"
  | "expireCheckoutSession"
  | "portalLink"
> {
  const read = async (id: string, account: Account) =>
    readCheckoutObject(
      answered("checkout.session", await stripe.checkout.sessions.retrieve(id, {}, inAccount(account))),
    );

  return {
    createCheckoutSession: (request) =>
      callStripe(async () => {
        const session = await stripe.checkout.sessions.create(
          checkoutParams(request, applicationFeePercent),
          writeIn(request.account, request.idempotencyKey),
        );
        const { id, url, expires_at } = answered("checkout.session", session);
        if (url === null) {
          throw new PaymentsError("PROCESSOR_FAILED", "The payment processor made a session without a page.");
        }
        return {
          processorSessionId: id,
          url,
          expiresAt: expires_at * 1000,
        };
      }),

    readCheckoutSession: (id, account) => callStripe(() => read(id, account)),

    findCheckoutSession: (subscription, account) =>
      callStripe(async () => {
        const sessions = await stripe.checkout.sessions.list({ subscription, limit: 1 }, inAccount(account));
        const [found] = answered("list", sessions).data;
        return found === undefined ? null : readCheckoutObject(found);
      }),

    expireCheckoutSession: (id, account) =>
      callStripe(async () => {
        try {
          const expired = await stripe.checkout.sessions.expire(id, {}, inAccount(account));
          return readCheckoutObject(answered("checkout.session", expired));
        } catch (error) {
          // The session is no longer open.
          if (isRefusal(error)) return await read(id, account);
          throw error;
        }
      }),

    portalLink: ({ account, processorCustomerId, returnUrl }) =>
      callStripe(async () => {
        const session = await stripe.billingPortal.sessions.create(
          { customer: processorCustomerId, return_url: returnUrl },
          writeIn(account, newIntent("portal")),
        );
        return answered("billing_portal.session", session).url;
      }),
  };
}

/** The longest trial that Stripe takes: it ends long after every review, and `startSubscription` ends it. */
const LONGEST_TRIAL_DAYS = 730;

/**
 * Ways to pay that settle days later or bounce, and those whose renewals are such bank debits. Until they settle a subscription
 * would be active, and its ad on the air, in time that may never be paid.
 */
const DELAYED_PAYMENT_METHODS = [
  "acss_debit",
  "au_becs_debit",
  "bacs_debit",
  "bancontact",
  "boleto",
  "customer_balance",
  "eps",
  "ideal",
  "konbini",
  "multibanco",
  "nz_bank_account",
  "oxxo",
  "payto",
  "sepa_debit",
  "sofort",
  "us_bank_account",
];

/** What the page says of its own words: Stripe writes the longest trial as days that are free. */
const REVIEW_TIME = `"${LONGEST_TRIAL_DAYS} days free" on this page is only the time that the review may take at most, not a free trial.`;

function checkoutParams(
  request: CheckoutRequest,
  applicationFeePercent: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    ...request.metadata,
    workspaceId: request.workspaceId,
    tierPriceId: request.tierPriceId,
  };
  const isLater = request.chargeAt === "approval";
  const trialDays = isLater ? LONGEST_TRIAL_DAYS : request.trialDays;
  const terms = [request.terms ?? [], isLater ? REVIEW_TIME : []].flat().join(" ");
  // The platform takes no fee from its own sales.
  const takesFee = request.account !== null && applicationFeePercent > 0;
  return {
    mode: "subscription",
    line_items: [{ price: request.processorPriceId, quantity: 1 }],
    success_url: request.successUrl,
    ...(request.cancelUrl === undefined ? {} : { cancel_url: request.cancelUrl }),
    ...(request.email === undefined ? {} : { customer_email: request.email }),
    client_reference_id: request.clientReferenceId,
    allow_promotion_codes: request.allowPromotionCodes,
    excluded_payment_method_types: DELAYED_PAYMENT_METHODS,
    // Where the Dashboard has it on, payments and refunds are in the buyer's currency, and invoices in the price's.
    adaptive_pricing: { enabled: false },
    payment_method_collection: request.free ? "if_required" : "always",
    metadata,
    ...(terms === "" ? {} : { custom_text: { submit: { message: terms } } }),
    subscription_data: {
      metadata: {
        ...metadata,
        ...(isLater ? { ...chargedAtApproval(request.trialDays), ...AWAITS_APPROVAL } : {}),
      },
      ...(trialDays === null ? {} : { trial_period_days: trialDays }),
      ...(takesFee ? { application_fee_percent: applicationFeePercent } : {}),
    },
  };
}
