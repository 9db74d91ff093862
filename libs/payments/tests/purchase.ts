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

/**
 * Moves a subscription to another price of the same interval, as its seller may at the processor: the rest of the period is billed at
 * once, or with the renewal.
 */
export async function changePrice(
  stripe: Stripe,
  subscription: string,
  amount: number,
  billed: "at once" | "with renewal" = "at once",
): Promise<void> {
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const [item] = items.data;
  if (item === undefined) throw new Error("The subscription has no item.");
  const { product, currency, recurring } = item.price;
  const { id: price } = await stripe.prices.create({
    product: String(product),
    currency,
    unit_amount: amount,
    recurring: {
      interval: recurring?.interval ?? "month",
      interval_count: recurring?.interval_count ?? 1,
    },
  });
  await stripe.subscriptions.update(subscription, {
    items: [{ id: item.id, price }],
    proration_behavior: billed === "at once" ? "always_invoice" : "create_prorations",
  });
}
