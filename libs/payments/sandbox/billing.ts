import { missing } from "./api-error.ts";
import { type Card, cardEnding } from "./cards.ts";
import { newInvoice } from "./new-invoice.ts";
import { newCharge, newInvoicePayment } from "./new-payment.ts";
import { itemOf } from "./new-subscription.ts";
import { amountOff } from "./promotion-codes.ts";
import type { Customer, Discount, Invoice, PaymentMethod, Subscription } from "./records.ts";
import type { World } from "./world.ts";

/** How long a renewal's invoice stays a draft, in seconds. */
const DRAFT_FOR = 3600;

/** Drafts the invoice of the period that the subscription is in, with its discounts, and saves both. */
export function draftInvoice(
  world: World,
  subscription: Subscription,
  reason: "subscription_create" | "subscription_cycle",
): Invoice {
  const now = world.now();
  const item = itemOf(subscription);
  const amount = subscription.status === "trialing" ? 0 : (item.price.unit_amount ?? 0);
  const { taken, kept } = discount(world, subscription, amount);
  const waits = reason === "subscription_cycle";
  const byItself = subscription.status !== "unpaid" && subscription.pause_collection === null;
  const invoice = newInvoice(
    {
      subscription,
      item,
      customer: customerOf(world, subscription.customer),
      amount,
      discounts: taken,
      reason,
      finalizesAt: waits && byItself ? now + DRAFT_FOR : null,
    },
    now,
  );
  world.records.save("invoice", invoice);
  world.records.save("subscription", {
    ...current(world, subscription),
    discounts: kept,
    latest_invoice: invoice.id,
  });
  world.emit("invoice.created", invoice);
  return invoice;
}

/** Gives a draft its number and its pages; what costs nothing is paid by that. */
export function finalizeInvoice(world: World, draft: Invoice): Invoice {
  const now = world.now();
  const customer = customerOf(world, draft.customer);
  const sequence = customer.next_invoice_sequence ?? 1;
  world.records.save("customer", { ...customer, next_invoice_sequence: sequence + 1 });
  const page = new URL(`/sandbox/invoices/${draft.id}`, world.publicUrl).href;
  const open: Invoice = {
    ...draft,
    automatically_finalizes_at: null,
    effective_at: now,
    ending_balance: 0,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${customer.invoice_prefix ?? "SANDBOX"}-${String(sequence).padStart(4, "0")}`,
    status: "open",
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  world.records.save("invoice", open);
  world.emit("invoice.finalized", open);
  if (open.amount_due === 0) return settle(world, open, 0);
  const { intent, payment } = newInvoicePayment(open, feeOf(world, open), now);
  world.records.save("paymentIntent", intent);
  world.records.save("invoicePayment", payment);
  return open;
}

/** Tries to charge an open invoice; true when it is paid. What a failure leads to is left to the caller. */
export function charge(world: World, invoice: Invoice, method: PaymentMethod, attended: boolean): boolean {
  const now = world.now();
  const card = cardOf(method);
  const approved =
    card !== undefined && (attended ? card.inPerson !== "declined" : card.unattended === "approved");
  const [payment] = world.records.list("invoicePayment", { where: { invoice: invoice.id }, limit: 1 });
  const intent = world.records.find("paymentIntent", String(payment?.payment.payment_intent));
  if (payment === undefined || intent === undefined) throw new Error(`Invoice ${invoice.id} has no payment.`);
  const customer = customerOf(world, invoice.customer);
  const attempt = newCharge(
    intent,
    method,
    customer,
    approved ? null : (card?.declineCode ?? "generic_decline"),
    now,
  );
  world.records.save("charge", attempt);
  world.records.save("paymentIntent", {
    ...intent,
    amount_received: approved ? intent.amount : 0,
    latest_charge: attempt.id,
    payment_method: method.id,
    status: approved ? "succeeded" : "requires_payment_method",
  });
  if (!approved) return false;
  world.records.save("invoicePayment", {
    ...payment,
    amount_paid: intent.amount,
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: now },
  });
  settle(world, invoice, intent.amount);
  return true;
}

/** Says that nothing is to be paid on an invoice any more. */
export function voidInvoice(world: World, invoice: Invoice): Invoice {
  return close(world, invoice, "void", "voided_at", "invoice.voided");
}

/** Gives an invoice up. */
export function giveUpInvoice(world: World, invoice: Invoice): Invoice {
  return close(world, invoice, "uncollectible", "marked_uncollectible_at", "invoice.marked_uncollectible");
}

/** The card that a subscription's renewals are charged to. */
export function paymentMethodOf(world: World, subscription: Subscription): PaymentMethod | undefined {
  const id = subscription.default_payment_method;
  return typeof id === "string" ? world.records.find("paymentMethod", id) : undefined;
}

/** What the card behind a payment method does. */
export function cardOf(method: PaymentMethod): Card | undefined {
  return cardEnding(method.card?.last4 ?? "");
}

/** The customer that an object is about. */
export function customerOf(world: World, reference: Invoice["customer"]): Customer {
  const id = typeof reference === "string" ? reference : "";
  const customer = world.records.find("customer", id);
  if (customer === undefined) throw missing("customer", id, "customer");
  return customer;
}

/** The subscription as it is stored now, after what was changed on the way. */
export function current(world: World, subscription: Subscription): Subscription {
  return world.records.find("subscription", subscription.id) ?? subscription;
}

function settle(world: World, invoice: Invoice, paid: number): Invoice {
  const settled: Invoice = {
    ...invoice,
    amount_paid: paid,
    amount_remaining: 0,
    attempt_count: paid > 0 ? invoice.attempt_count + 1 : 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: world.now() },
  };
  world.records.save("invoice", settled);
  world.emit("invoice.paid", settled);
  return settled;
}

function close(
  world: World,
  invoice: Invoice,
  status: "void" | "uncollectible",
  since: "voided_at" | "marked_uncollectible_at",
  event: "invoice.voided" | "invoice.marked_uncollectible",
): Invoice {
  const closed: Invoice = {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status,
    status_transitions: { ...invoice.status_transitions, [since]: world.now() },
  };
  world.records.save("invoice", closed);
  world.emit(event, closed);
  return closed;
}

/** A discount for one payment waits for one that costs something; one for some months goes when they are over. */
function discount(world: World, subscription: Subscription, amount: number) {
  const now = world.now();
  const standing = subscription.discounts
    .map((id) => world.records.find("discount", String(id)))
    .filter((given): given is Discount => given !== undefined && (given.end === null || given.end > now));
  let rest = amount;
  const taken: { amount: number; discount: string }[] = [];
  const kept: string[] = [];
  for (const given of standing) {
    const coupon = world.records.find("coupon", String(given.source.coupon));
    if (coupon === undefined) continue;
    const off = Math.min(amountOff(coupon, rest, subscription.currency) ?? 0, rest);
    if (amount > 0) taken.push({ amount: off, discount: given.id });
    if (amount === 0 || coupon.duration !== "once") kept.push(given.id);
    rest -= off;
  }
  return { taken, kept };
}

function feeOf(world: World, invoice: Invoice): number | null {
  const id = invoice.parent?.subscription_details?.subscription;
  const percent = world.records.find("subscription", String(id))?.application_fee_percent ?? null;
  return percent === null ? null : Math.round((invoice.amount_due * percent) / 100);
}
