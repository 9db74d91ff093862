import type { Engine } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import { draftChanges, finalizeInvoice } from "./invoices.ts";
import { itemOf } from "./periods.ts";
import type { Price, Subscription } from "./records.ts";
import { advanceInvoice, changeSubscription } from "./subscriptions.ts";

/**
 * Moves a subscription to another price of the same interval. The rest of the current period costs the difference, or gives it back: with
 * the next renewal, or by an invoice at once. Where the card is declined for that, the subscription is past due.
 */
export function changePrice(
  engine: Engine,
  before: Subscription,
  change: Subscription,
  { price, billed }: { readonly price: Price; readonly billed: "now" | "with renewal" | "never" },
): Subscription {
  const { records } = engine;
  const { price: earlier, ...item } = itemOf(change);
  const { current_period_start: start, current_period_end: end } = item;
  const period = { start: engine.now(), end };
  const left = before.status === "trialing" ? 0 : (end - period.start) / (end - start);
  const changed = changeSubscription(engine, before, {
    ...change,
    items: { ...change.items, data: [{ ...item, price }] },
  });
  if (billed === "never") return changed;
  records.save("invoiceItem", {
    id: newStripeId("ii"),
    object: "invoiceitem",
    amount: Math.round((price.unit_amount - earlier.unit_amount) * left),
    parent: { subscription_details: { subscription: changed.id } },
    period,
  });
  if (billed !== "now") return changed;
  advanceInvoice(engine, finalizeInvoice(engine, draftChanges(engine, changed)));
  return records.get("subscription", changed.id);
}
