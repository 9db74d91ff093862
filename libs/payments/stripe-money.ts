import type { Stripe } from "stripe";
import type {
  InvoiceStatus,
  ProcessorCharge,
  ProcessorInvoice,
  ProcessorRefund,
  ProcessorReversal,
} from "./money.ts";
import type { Account, Payments } from "./payments.ts";
import { answered, callStripe, eachOf } from "./stripe-errors.ts";
import { inAccount } from "./stripe-request.ts";
import { idOf, milliseconds, unreadable } from "./stripe-vocabulary.ts";

const INVOICE_STATUSES: Readonly<Record<string, InvoiceStatus>> = {
  draft: "draft",
  open: "open",
  paid: "paid",
  uncollectible: "uncollectible",
  void: "void",
};

/** A refund in one of these states paid nothing back. */
const UNDONE_REFUNDS: readonly string[] = ["failed", "canceled"];

type MoneyCalls = Pick<Payments, "readInvoice" | "listInvoices" | "listReversals" | "readCharge">;

/** Reads invoices, charges, refunds and disputes. */
export function moneyCalls(stripe: Stripe): MoneyCalls {
  /** A charge doesn't name the invoice it paid; its payment does. */
  async function invoiceOf(charge: Stripe.Charge, account: Account): Promise<Stripe.Invoice | null> {
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

  async function refundsOf(chargeId: string, account: Account): Promise<ProcessorRefund[]> {
    const refunds: ProcessorRefund[] = [];
    const given = eachOf(
      (page) => stripe.refunds.list({ ...page, charge: chargeId }, inAccount(account)),
      (refund) => (UNDONE_REFUNDS.includes(refund.status ?? "") ? null : readRefundObject(refund)),
    );
    for await (const refund of given) refunds.push(refund);
    return refunds;
  }

  return {
    readInvoice: (id, account) =>
      callStripe(async () =>
        readInvoiceObject(answered("invoice", await stripe.invoices.retrieve(id, {}, inAccount(account)))),
      ),

    listInvoices: ({ account, since }) =>
      eachOf(
        (page) =>
          stripe.invoices.list({ ...page, created: { gte: Math.floor(since / 1000) } }, inAccount(account)),
        (invoice) => (subscriptionOf(invoice) === null ? null : readInvoiceObject(invoice)),
      ),

    async *listReversals({ account, since }) {
      const created = { gte: Math.floor(since / 1000) };
      yield* eachOf((page) => stripe.refunds.list({ ...page, created }, inAccount(account)), readReversal);
      yield* eachOf((page) => stripe.disputes.list({ ...page, created }, inAccount(account)), readReversal);
    },

    readCharge: (id, account) =>
      callStripe(async () => {
        const charge = answered("charge", await stripe.charges.retrieve(id, {}, inAccount(account)));
        const [invoice, refunds] = await Promise.all([invoiceOf(charge, account), refundsOf(id, account)]);
        return readChargeObject(charge, invoice, refunds);
      }),
  };
}

/** An invoice in our vocabulary. */
function readInvoiceObject(invoice: Stripe.Invoice): ProcessorInvoice {
  const status = INVOICE_STATUSES[invoice.status ?? "draft"];
  if (status === undefined) throw unreadable(`Invoice ${invoice.id} has an unknown status`);
  if (invoice.customer === null) throw unreadable(`Invoice ${invoice.id} has no customer`);
  const period = soldPeriod(invoice);
  return {
    id: invoice.id,
    subscriptionId: subscriptionOf(invoice),
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
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/** The subscription of an invoice, null for one created by hand. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  return subscription === null ? null : idOf(subscription);
}

/** An invoice's own period is that of metered usage; the period it sells is on its lines. */
function soldPeriod(invoice: Stripe.Invoice): { readonly start: number; readonly end: number } {
  const sold = invoice.lines.data.find(
    ({ parent }) => parent?.subscription_item_details?.proration === false,
  );
  return sold?.period ?? { start: invoice.period_start, end: invoice.period_end };
}

function readChargeObject(
  charge: Stripe.Charge,
  invoice: Stripe.Invoice | null,
  refunds: readonly ProcessorRefund[],
): ProcessorCharge {
  return {
    id: charge.id,
    invoiceId: invoice?.id ?? null,
    subscriptionId: invoice === null ? null : subscriptionOf(invoice),
    amount: charge.amount,
    currency: charge.currency,
    amountRefunded: charge.amount_refunded,
    disputed: charge.disputed,
    createdAt: charge.created * 1000,
    refunds,
  };
}

/** Null for a refund without a charge. */
function readReversal(made: Stripe.Refund | Stripe.Dispute): ProcessorReversal | null {
  if (made.charge === null) return null;
  const isUndone = made.object === "refund" && UNDONE_REFUNDS.includes(made.status ?? "");
  return { kind: made.object, id: made.id, chargeId: idOf(made.charge), amount: isUndone ? 0 : made.amount };
}

function readRefundObject(refund: Stripe.Refund): ProcessorRefund {
  return {
    id: refund.id,
    amount: refund.amount,
    reason: refund.reason,
    createdAt: refund.created * 1000,
  };
}
