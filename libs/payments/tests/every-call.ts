import type { CheckoutRequest, Payments } from "../index.ts";
import { aPrice } from "./requests.ts";
import { all } from "./sales.ts";

type CallName = Exclude<keyof Payments, "parseWebhook" | "moment">;

type Call = (payments: Payments, account?: string | null) => Promise<unknown>;

const idempotencyKey = "one-intent";

/** A checkout in the platform's account. */
export const A_CHECKOUT: CheckoutRequest = {
  account: null,
  workspaceId: "ws_1",
  tierPriceId: "price_1",
  processorPriceId: "price_stripe",
  free: false,
  chargeAt: "purchase",
  trialDays: null,
  allowPromotionCodes: true,
  successUrl: "http://127.0.0.1/thanks",
  clientReferenceId: "chk_1",
  idempotencyKey: "one-intent",
};

/** One call of everything that asks the processor; the compiler sees to it that none is missing. */
const CALLS: Readonly<Record<CallName, Call>> = {
  ensurePrice: (payments, account = null) => payments.ensurePrice(aPrice({ account })),
  archivePrice: (payments, account = null) =>
    payments.archivePrice("price_1", { account, active: false, idempotencyKey }),
  archiveProduct: (payments, account = null) =>
    payments.archiveProduct("prod_1", { account, active: false, idempotencyKey }),
  createCheckoutSession: (payments, account = null) =>
    payments.createCheckoutSession({ ...A_CHECKOUT, account }),
  readCheckoutSession: (payments, account = null) => payments.readCheckoutSession("cs_1", account),
  findCheckoutSession: (payments, account = null) => payments.findCheckoutSession("sub_1", account),
  expireCheckoutSession: (payments, account = null) => payments.expireCheckoutSession("cs_1", account),
  readSubscription: (payments, account = null) => payments.readSubscription("sub_1", account),
  findSubscription: (payments, account = null) => payments.findSubscription("sub_1", account),
  listSubscriptions: (payments, account = null) => all(payments.listSubscriptions(account)),
  stopSubscription: (payments, account = null) =>
    payments.stopSubscription("sub_1", { account, reason: "paused", at: 0, idempotencyKey }),
  continueSubscription: (payments, account = null) =>
    payments.continueSubscription("sub_1", { account, periodEnd: 1000, idempotencyKey }),
  releaseSubscription: (payments, account = null) =>
    payments.releaseSubscription("sub_1", { account, idempotencyKey }),
  holdSubscription: (payments, account = null) =>
    payments.holdSubscription("sub_1", { account, idempotencyKey }),
  startSubscription: (payments, account = null) =>
    // In milliseconds.
    payments.startSubscription("sub_1", {
      account,
      trialEnd: 4_000_000_000_000,
      // As Stripe's own mock has it.
      seen: { latestInvoiceId: null, cancelAt: 1_234_567_890_000 },
      idempotencyKey,
    }),
  cancelSubscription: (payments, account = null) =>
    payments.cancelSubscription("sub_1", { account, atPeriodEnd: false, idempotencyKey }),
  portalLink: (payments, account = null) =>
    payments.portalLink({ account, processorCustomerId: "cus_1", returnUrl: "http://127.0.0.1/" }),
  readInvoice: (payments, account = null) => payments.readInvoice("in_1", account),
  listInvoices: (payments, account = null) => all(payments.listInvoices({ account, since: 0 })),
  payInvoice: (payments, account = null) => payments.payInvoice("in_1", { account, idempotencyKey }),
  collectInvoice: (payments, account = null) =>
    payments.collectInvoice("in_1", { account, isCollected: false, idempotencyKey }),
  voidInvoice: (payments, account = null) => payments.voidInvoice("in_1", { account, idempotencyKey }),
  listReversals: (payments, account = null) => all(payments.listReversals({ account, since: 0 })),
  readCharge: (payments, account = null) => payments.readCharge("ch_1", account),
  readChargeOfInvoice: (payments, account = null) => payments.readChargeOfInvoice("in_1", account),
  refundCharge: (payments, account = null) =>
    payments.refundCharge("ch_1", { account, amount: 100, idempotencyKey }),
  createAccount: (payments) =>
    payments.createAccount({ workspaceId: "ws_1", email: "owner@harbour.example", idempotencyKey }),
  onboardingLink: (payments) =>
    payments.onboardingLink("acct_1", {
      refreshUrl: "http://127.0.0.1/again",
      returnUrl: "http://127.0.0.1/done",
    }),
  readAccount: (payments) => payments.readAccount("acct_1"),
};

export const EVERY_CALL = Object.entries(CALLS);
