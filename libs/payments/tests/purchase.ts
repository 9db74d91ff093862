import type { Stripe } from "stripe";
import type { CheckoutRequest, PriceRequest } from "../index.ts";
import { aPrice, openCheckout } from "./requests.ts";
import type { RunningSandbox } from "./running-sandbox.ts";

type Payer = NonNullable<Parameters<RunningSandbox["pay"]>[1]>;

/** How somebody buys, where it differs from a month at 49 euro with a good card. */
export interface Purchase {
  readonly price?: Partial<PriceRequest>;
  readonly checkout?: Partial<CheckoutRequest>;
  readonly payer?: Partial<Payer>;
}

/** Buys on the hosted page; gives what Stripe's API then shows of the subscription. */
export async function buy(sandbox: RunningSandbox, purchase: Purchase = {}): Promise<Stripe.Subscription> {
  const price = aPrice(purchase.price);
  const { url, processorSessionId } = await openCheckout(sandbox.payments, price, purchase.checkout);
  const paid = await sandbox.pay(url, { email: "ads@harbour.example", ...purchase.payer });
  if (!paid.ok) throw new Error(`The payment was answered with ${paid.status}.`);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, price.account);
  const options = price.account === null ? {} : { stripeAccount: price.account };
  return await sandbox.stripe.subscriptions.retrieve(subscriptionId ?? "", {}, options);
}

/** The invoices of a subscription, oldest first. */
export async function invoicesOf(
  { stripe }: RunningSandbox,
  subscription: string,
): Promise<Stripe.Invoice[]> {
  const { data } = await stripe.invoices.list({ subscription, limit: 100 });
  return data.reverse();
}

/** The charge that paid an invoice. */
export async function chargeOf(
  { stripe }: Pick<RunningSandbox, "stripe">,
  invoice: string,
): Promise<Stripe.Charge> {
  const { data } = await stripe.invoicePayments.list({
    invoice,
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  const intent = data[0]?.payment.payment_intent;
  const charge = typeof intent === "object" ? intent.latest_charge : null;
  if (charge === null || typeof charge === "string") throw new Error(`Invoice ${invoice} was not charged.`);
  return charge;
}
