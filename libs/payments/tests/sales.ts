import type { Stripe } from "stripe";
import type { Payments, PriceRequest, ProcessorInvoice, ProcessorSubscription } from "../index.ts";
import { aPrice, openCheckout } from "./requests.ts";
import type { Payer } from "./running-sandbox.ts";

/** A payment processor under test, with what people do on its pages and in its dashboard. */
export interface ProcessorUnderTest {
  /** With a fee of 2.5 percent on sales in connected accounts. */
  readonly payments: Payments;
  /** The official SDK, to read what the adapter does not. */
  readonly stripe: Stripe;
  /** Pays on the hosted page. */
  pay(url: string, payer?: Payer): Promise<Response>;
  /** Refunds a charge: all that is left of it without an amount. Resolves with the refund in Stripe's form. */
  refund(
    chargeId: string,
    terms?: { readonly amount?: number; readonly reason?: string },
  ): Promise<Stripe.Refund>;
  /** Creates a code that takes this percentage off the first payment. */
  createPromotionCode(percentOff: number): Promise<string>;
  /** Completes the onboarding. */
  setUp(url: string): Promise<Response>;
  /** Advances the processor's clock. */
  advance(days: number): Promise<void>;
  /** Disputes a charge, as the customer does at their bank. */
  dispute(chargeId: string): Promise<Response>;
  close(): Promise<void>;
}

/** Buys a price on the hosted page; the subscription as it is then. */
export async function subscribe(
  { payments, pay }: ProcessorUnderTest,
  price: PriceRequest = aPrice(),
  changes: Parameters<typeof openCheckout>[2] = {},
  payer?: Payer,
): Promise<ProcessorSubscription> {
  const { url, processorSessionId } = await openCheckout(payments, price, changes);
  const paid = await pay(url, payer);
  if (!paid.ok) throw new Error(`paying answered ${paid.status}: ${await paid.text()}`);
  const { subscriptionId } = await payments.readCheckoutSession(processorSessionId, price.account);
  return await payments.readSubscription(subscriptionId ?? "", price.account);
}

/** A subscription's invoices, newest first. */
export async function invoicesOf(
  { payments }: ProcessorUnderTest,
  subscriptionId: string,
): Promise<ProcessorInvoice[]> {
  return await all(payments.listInvoices({ account: null, since: 0, subscriptionId }));
}

/** What has become of them, oldest first, such as `paid 4900`. */
export async function outcomesOf(processor: ProcessorUnderTest, subscriptionId: string): Promise<string[]> {
  const invoices = await invoicesOf(processor, subscriptionId);
  return invoices.toReversed().map(({ status, amountPaid }) => `${status} ${amountPaid}`);
}

/** Makes a connected account and answers all that it is asked. */
export async function aReadyAccount({ payments, setUp }: ProcessorUnderTest): Promise<string> {
  const { accountId } = await payments.createAccount({
    workspaceId: "ws_of_the_account",
    idempotencyKey: crypto.randomUUID(),
  });
  const link = await payments.onboardingLink(accountId, {
    refreshUrl: "http://127.0.0.1/again",
    returnUrl: "http://127.0.0.1/done",
  });
  const answered = await setUp(link);
  if (!answered.ok) throw new Error(`the onboarding answered ${answered.status}`);
  return accountId;
}

/** The subscriptions that an account's list has, each of them whole. */
export async function listWhole(payments: Payments, account: string | null = null) {
  return await Promise.all((await all(payments.listSubscriptions(account))).map((one) => one.whole()));
}

/** Everything in a paged list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}
