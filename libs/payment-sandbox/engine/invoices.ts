import { chargeStep, smallestCharge } from "#libs/domain/money.ts";
import type { Engine, EventType } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import { openPayment } from "./payments.ts";
import { itemOf } from "./periods.ts";
import { applyDiscounts } from "./promotions.ts";
import type { Customer, Invoice, InvoiceLine, Subscription } from "./records.ts";

/** Seconds for which a renewal's invoice stays a draft. */
const DRAFT_FOR = 3600;

/** Drafts the invoice of the subscription's current period, with its discounts and what changes cost, and saves both. */
export function draftInvoice(
  engine: Engine,
  subscription: Subscription,
  reason: "subscription_create" | "subscription_cycle" | "subscription_update",
): Invoice {
  const { records } = engine;
  const item = itemOf(subscription);
  const amount = subscription.status === "trialing" ? 0 : item.price.unit_amount;
  const { taken, kept } = applyDiscounts(engine, subscription, amount);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const lines = [lineOf(subscription, { amount, period }, false), ...takeChanges(engine, subscription)];
  const finalizes =
    reason === "subscription_cycle" &&
    subscription.status !== "unpaid" &&
    subscription.pause_collection === null;
  const invoice: Invoice = {
    ...newDraft(subscription, records.get("customer", subscription.customer), lines, taken),
    auto_advance: finalizes || reason !== "subscription_cycle",
    automatically_finalizes_at: finalizes ? engine.now() + DRAFT_FOR : null,
    billing_reason: reason,
    created: engine.now(),
  };
  saveDraft(engine, subscription, invoice, kept);
  return invoice;
}

/** Drafts an invoice of what changes of the subscription cost and of nothing else, and saves it. */
export function draftChanges(engine: Engine, subscription: Subscription): Invoice {
  const lines = takeChanges(engine, subscription);
  const customer = engine.records.get("customer", subscription.customer);
  const invoice: Invoice = {
    ...newDraft(subscription, customer, lines, []),
    period_end: engine.now(),
    auto_advance: true,
    automatically_finalizes_at: null,
    billing_reason: "subscription_update",
    created: engine.now(),
  };
  saveDraft(engine, subscription, invoice, subscription.discounts);
  return invoice;
}

function saveDraft(
  engine: Engine,
  subscription: Subscription,
  invoice: Invoice,
  discounts: Subscription["discounts"],
): void {
  const { records } = engine;
  records.save("invoice", invoice);
  const stored = records.find("subscription", subscription.id) ?? subscription;
  records.save("subscription", { ...stored, discounts, latest_invoice: invoice.id });
  engine.emit("invoice.created", invoice);
}

/** The lines of what changes of the subscription cost, which no other invoice has then. */
function takeChanges({ records }: Engine, subscription: Subscription): InvoiceLine[] {
  const where = { "parent.subscription_details.subscription": subscription.id };
  return records.list("invoiceItem", { where }).map((item) => {
    records.remove("invoiceItem", item.id);
    return lineOf(subscription, item, true);
  });
}

function lineOf(
  subscription: Subscription,
  { amount, period }: Pick<InvoiceLine, "amount" | "period">,
  proration: boolean,
): InvoiceLine {
  return {
    id: newStripeId("il"),
    object: "line_item",
    amount,
    parent: {
      subscription_item_details: { proration, subscription_item: itemOf(subscription).id },
      type: "subscription_item_details",
    },
    period,
  };
}

function newDraft(
  subscription: Subscription,
  customer: Customer,
  lines: readonly InvoiceLine[],
  discounts: Invoice["total_discount_amounts"],
): Omit<Invoice, "auto_advance" | "automatically_finalizes_at" | "billing_reason" | "created"> {
  const id = newStripeId("in");
  const item = itemOf(subscription);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal - discounts.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id,
    object: "invoice",
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    discounts: discounts.map(({ discount }) => discount),
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: { object: "list", data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    next_payment_attempt: null,
    number: null,
    parent: {
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    period_end: item.current_period_start,
    period_start: item.current_period_start,
    starting_balance: 0,
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal,
    total,
    total_discount_amounts: discounts,
  };
}

/**
 * Gives a draft its number, its pages and its payment; one that costs nothing is paid right away. What cannot be charged, below the
 * smallest charge or between two steps, is carried to the next invoice by the customer's balance.
 */
export function finalizeInvoice(engine: Engine, draft: Invoice): Invoice {
  const { records } = engine;
  const now = engine.now();
  const customer = records.get("customer", draft.customer);
  const sequence = customer.next_invoice_sequence;
  const { balance = 0 } = customer;
  const due = chargeOf(draft.total + balance, draft.currency);
  const carried = draft.total + balance - due;
  records.save("customer", { ...customer, balance: carried, next_invoice_sequence: sequence + 1 });
  const page = new URL(`/sandbox/invoices/${draft.id}`, engine.publicUrl).href;
  const open: Invoice = {
    ...draft,
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    ending_balance: carried,
    starting_balance: balance,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    status: "open",
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  records.save("invoice", open);
  engine.emit("invoice.finalized", open);
  if (open.amount_due === 0) return markPaid(engine, open);
  const { subscription } = open.parent.subscription_details;
  const percent = records.find("subscription", subscription)?.application_fee_percent ?? null;
  openPayment(engine, open, percent === null ? null : Math.round((open.amount_due * percent) / 100));
  return open;
}

/** What is charged of an amount: rounded to the currency's step, and nothing below its smallest charge. */
function chargeOf(amount: number, currency: string): number {
  const step = chargeStep(currency);
  const rounded = Math.round(amount / step) * step;
  return rounded < smallestCharge(currency) ? 0 : rounded;
}

/** Marks an open invoice as paid. */
export function markPaid(engine: Engine, invoice: Invoice): Invoice {
  return settle(engine, invoice, "invoice.paid", {
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.amount_due > 0 ? invoice.attempt_count + 1 : 0,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: engine.now() },
  });
}

/** Voids an invoice: nothing is to be paid on it any more. */
export function voidInvoice(engine: Engine, invoice: Invoice): Invoice {
  if (invoice.ending_balance !== null && invoice.ending_balance !== invoice.starting_balance) {
    const customer = engine.records.get("customer", invoice.customer);
    const { balance = 0 } = customer;
    const restored = balance + invoice.starting_balance - invoice.ending_balance;
    engine.records.save("customer", { ...customer, balance: restored });
  }
  return settle(engine, invoice, "invoice.voided", {
    status: "void",
    status_transitions: { ...invoice.status_transitions, voided_at: engine.now() },
  });
}

/** Writes an invoice off: it is not collected any more, and its customer can still pay it. */
export function writeOffInvoice(engine: Engine, invoice: Invoice): Invoice {
  return settle(engine, invoice, "invoice.marked_uncollectible", {
    status: "uncollectible",
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: engine.now() },
  });
}

/** Saves a change after which the invoice is not collected any more, and emits it. */
function settle(engine: Engine, invoice: Invoice, event: EventType, change: Partial<Invoice>): Invoice {
  const settled: Invoice = { ...invoice, auto_advance: false, next_payment_attempt: null, ...change };
  engine.records.save("invoice", settled);
  engine.emit(event, settled);
  return settled;
}
