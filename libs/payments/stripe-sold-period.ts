import type { Stripe } from "stripe";

type Period = Stripe.InvoiceLineItem.Period;

/**
 * The period that an invoice sells; null for one of changes, or made by hand, which says nothing of any period. Its own period is that of
 * metered usage, and ends where a renewal's begins.
 */
export function soldPeriod(invoice: Stripe.Invoice): Period | null {
  const { lines, billing_reason: reason, total } = invoice;
  const sold = lines.data.find((line) => detailsOf(line)?.proration === false);
  if (sold === undefined) return reason === "subscription_cycle" ? cutPeriod(invoice) : null;
  // A period is moved for nothing, but what a change before has left to be paid is invoiced with that.
  const isOfChange = reason === "subscription_update" && sold.amount === 0 && total > 0;
  return isOfChange ? null : sold.period;
}

/**
 * The last period before a fixed end, which is cut at that and prorated
 * (https://docs.stripe.com/api/subscriptions/update#update_subscription-cancel_at). Lines of changes before it begin earlier.
 */
function cutPeriod({ lines, period_end }: Stripe.Invoice): Period | null {
  const periods = lines.data.flatMap((line) => (detailsOf(line) === null ? [] : line.period));
  return periods.find(({ start }) => start >= period_end) ?? null;
}

function detailsOf({ parent }: Stripe.InvoiceLineItem) {
  return parent?.subscription_item_details ?? null;
}

/** Where the current period of an item ends: at a fixed end that cuts the period that was sold last, else as the item says. */
export function periodEnd(
  { cancel_at }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  sold: Stripe.Invoice | null,
): number {
  const isCut = sold !== null && cancel_at !== null && soldPeriod(sold)?.end === cancel_at;
  return isCut ? Math.min(cancel_at, item.current_period_end) : item.current_period_end;
}
