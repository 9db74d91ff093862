import type { Stripe } from "stripe";
import type { DisputeStatus } from "#libs/domain/invoice.ts";
import type { Account } from "./accounts.ts";
import type {
  InvoiceStatus,
  ProcessorCharge,
  ProcessorDispute,
  ProcessorInvoice,
  ProcessorRefund,
  ProcessorReversal,
} from "./money.ts";
import type { Payments } from "./payments.ts";
import { answered, callStripe, eachOf } from "./stripe-errors.ts";
import { inAccount } from "./stripe-request.ts";
import { soldPeriod } from "./stripe-sold-period.ts";
import { idOf, milliseconds, unreadable } from "./stripe-vocabulary.ts";

const INVOICE_STATUSES: Readonly<Record<string, InvoiceStatus>> = {
  draft: "draft",
  open: "open",
  paid: "paid",
  uncollectible: "uncollectible",
  void: "void",
};

/** An inquiry takes no money; if one is closed, or a dispute prevented, there is none any more. An appeal follows a dispute that was lost. */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "won",
  prevented: "won",
  needs_response: "needs_response",
  under_review: "under_review",
  appeal_needs_response: "needs_response",
  appeal_under_review: "under_review",
  won: "won",
  lost: "lost",
};

/** Where a refund keeps the key that it was made with, and its note. */
export const REFUND_METADATA = { key: "placard_key", note: "note" } as const;

/** A refund in one of these states paid nothing back. */
const UNDONE_REFUNDS: readonly string[] = ["failed", "canceled"];

type MoneyCalls = Pick<Payments, "readInvoice" | "listInvoices" | "listReversals" | "readCharge">;

/** Reads invoices, charges, refunds and disputes. */
export function moneyCalls(stripe: Stripe): MoneyCalls {
  return {
    readInvoice: (id, account) => callStripe(() => readInvoice(stripe, id, account)),

    listInvoices: ({ account, since, subscriptionId, status }) => {
      const query = {
        ...(status === undefined ? {} : { status }),
        created: { gte: Math.floor(since / 1000) },
        ...(subscriptionId === undefined ? {} : { subscription: subscriptionId }),
      };
      return eachOf(
        (page) => stripe.invoices.list({ ...page, ...query }, inAccount(account)),
        (invoice) => (subscriptionOf(invoice) === null ? null : readInvoiceObject(invoice)),
      );
    },

    async *listReversals({ account, since }) {
      const created = { gte: Math.floor(since / 1000) };
      yield* eachOf((page) => stripe.refunds.list({ ...page, created }, inAccount(account)), readReversal);
      yield* eachOf((page) => stripe.disputes.list({ ...page, created }, inAccount(account)), readReversal);
    },

    readCharge: (id, account) => callStripe(() => readCharge(stripe, id, account)),
  };
}

/** Reads a charge with its invoice, its refunds and its dispute. */
export async function readCharge(stripe: Stripe, id: string, account: Account): Promise<ProcessorCharge> {
  const charge = answered("charge", await stripe.charges.retrieve(id, {}, inAccount(account)));
  const [invoice, refunds, dispute] = await Promise.all([
    invoiceOf(stripe, charge, account),
    refundsOf(stripe, id, account),
    charge.disputed ? disputeOf(stripe, id, account) : null,
  ]);
  return readChargeObject(charge, invoice, refunds, dispute);
}

/** A charge doesn't name the invoice it paid; its payment does. */
async function invoiceOf(
  stripe: Stripe,
  charge: Stripe.Charge,
  account: Account,
): Promise<Stripe.Invoice | null> {
  if (charge.payment_intent === null) return null;
  const payments = await stripe.invoicePayments.list(
    {
      payment: { type: "payment_intent", payment_intent: idOf(charge.payment_intent) },
      limit: 1,
      expand: ["data.invoice"],
    },
    inAccount(account),
  );
  const invoice = answered("list", payments).data[0]?.invoice;
  return invoice === undefined || typeof invoice === "string" || invoice.deleted === true ? null : invoice;
}

/** The refunds of a charge, newest first, without those that paid nothing back. */
export async function refundsOf(
  stripe: Stripe,
  chargeId: string,
  account: Account,
): Promise<ProcessorRefund[]> {
  const refunds: ProcessorRefund[] = [];
  const given = eachOf(
    (page) => stripe.refunds.list({ ...page, charge: chargeId }, inAccount(account)),
    (refund) => (UNDONE_REFUNDS.includes(refund.status ?? "") ? null : readRefundObject(refund)),
  );
  for await (const refund of given) refunds.push(refund);
  return refunds;
}

/** The latest dispute of a charge. */
async function disputeOf(
  stripe: Stripe,
  chargeId: string,
  account: Account,
): Promise<ProcessorDispute | null> {
  const disputes = await stripe.disputes.list({ charge: chargeId, limit: 1 }, inAccount(account));
  const dispute = answered("list", disputes).data[0];
  return dispute === undefined
    ? null
    : {
        amount: dispute.amount,
        status: disputeStatusOf(dispute),
        evidenceDueBy: milliseconds(dispute.evidence_details?.due_by ?? null),
      };
}

/** Reads an invoice. */
export async function readInvoice(stripe: Stripe, id: string, account: Account): Promise<ProcessorInvoice> {
  return readInvoiceObject(answered("invoice", await stripe.invoices.retrieve(id, {}, inAccount(account))));
}

/** An invoice in our vocabulary. */
export function readInvoiceObject(invoice: Stripe.Invoice): ProcessorInvoice {
  const status = INVOICE_STATUSES[invoice.status ?? "draft"];
  if (status === undefined) throw unreadable(`Invoice ${invoice.id} has an unknown status`);
  if (invoice.customer === null) throw unreadable(`Invoice ${invoice.id} has no customer`);
  const period = soldPeriod(invoice) ?? { start: invoice.period_end, end: invoice.period_end };
  return {
    id: invoice.id,
    subscriptionId: subscriptionOf(invoice),
    subscriptionMetadata: invoice.parent?.subscription_details?.metadata ?? {},
    customerId: idOf(invoice.customer),
    number: invoice.number,
    status,
    currency: invoice.currency,
    total: invoice.total,
    amountPaid: invoice.amount_paid,
    amountDue: invoice.amount_due,
    createdAt: invoice.created * 1000,
    paidAt: milliseconds(invoice.status_transitions.paid_at),
    periodStart: period.start * 1000,
    periodEnd: period.end * 1000,
    isRenewal: invoice.billing_reason === "subscription_cycle",
    isCollected: isUnsettled(status) && invoice.auto_advance !== false,
    // An invoice that is collected by itself is attempted as it is finalized.
    failedAt:
      status === "open" && invoice.attempt_count > 0
        ? milliseconds(invoice.status_transitions.finalized_at)
        : null,
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/** Whether an invoice may still be paid or charged. */
export function isUnsettled(status: InvoiceStatus): boolean {
  return status === "draft" || status === "open";
}

/** The subscription of an invoice, null for one created by hand. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  return subscription === null ? null : idOf(subscription);
}

function readChargeObject(
  charge: Stripe.Charge,
  invoice: Stripe.Invoice | null,
  refunds: readonly ProcessorRefund[],
  dispute: ProcessorDispute | null,
): ProcessorCharge {
  return {
    id: charge.id,
    invoiceId: invoice?.id ?? null,
    subscriptionId: invoice === null ? null : subscriptionOf(invoice),
    amount: charge.amount,
    currency: charge.currency,
    amountRefunded: charge.amount_refunded,
    disputed: charge.disputed,
    dispute,
    createdAt: charge.created * 1000,
    refunds,
  };
}

/** Null for a refund without a charge. */
function readReversal(made: Stripe.Refund | Stripe.Dispute): ProcessorReversal | null {
  if (made.charge === null) return null;
  const { object: kind, id } = made;
  const isUndone = made.object === "refund" && UNDONE_REFUNDS.includes(made.status ?? "");
  const status = made.object === "dispute" ? disputeStatusOf(made) : null;
  return { kind, id, chargeId: idOf(made.charge), amount: isUndone ? 0 : made.amount, status };
}

function disputeStatusOf({ id, status }: Stripe.Dispute): DisputeStatus {
  const known = DISPUTE_STATUSES[status];
  if (known === undefined) throw unreadable(`Dispute ${id} has an unknown status`);
  return known;
}

/** A refund in our vocabulary. */
export function readRefundObject(refund: Stripe.Refund): ProcessorRefund {
  return {
    id: refund.id,
    amount: refund.amount,
    reason: refund.reason,
    note: refund.metadata?.[REFUND_METADATA.note] ?? null,
    idempotencyKey: refund.metadata?.[REFUND_METADATA.key] ?? null,
    createdAt: refund.created * 1000,
  };
}
