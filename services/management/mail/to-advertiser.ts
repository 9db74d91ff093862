import { sql, type Transaction } from "kysely";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type DisputeStatus, isChargedBack } from "#libs/domain/invoice.ts";
import { type CurrentPeriod, movedPeriods, rejectionRefund } from "#libs/domain/rejection-refund.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { isPaidFor } from "../store/paid-for.ts";
import { canceledByPublisherLetter } from "./closing-letters.ts";
import { type Decision, type DecisionFacts, decisionLetter } from "./decision-letters.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { findSale, type SaleRow, saleFacts } from "./sales.ts";
import type { MailPorts } from "./to-publisher.ts";

/**
 * A publisher's words to those who have paid nothing, of all workspaces that one person owns. Anybody can buy so with a stranger's
 * address, so they would reach any number of mailboxes.
 */
const NOTES_RATE: RateRule = { name: "mail-notes", points: 50, durationSeconds: 24 * 60 * 60 };
/** Payments that are looked at. A subscription whose ad never ran has fewer, and so has a period. */
const MOST_INVOICES = 100;
const NOTE_ELSEWHERE = "The publisher has left a note. It is on the page of your ad.";

interface AdOfSale {
  readonly workspace_id: string;
  readonly subscription_id: string;
}

/**
 * Queues the letter about a publisher's decision to the ad's advertiser, unless they have no address. `effect` is what an approval
 * brings; `refunded` is what a rejection has refunded, null for nothing.
 */
export async function mailDecision(
  trx: Transaction<Tables>,
  ports: MailPorts,
  ad: AdOfSale & { readonly name: string },
  decision: Decision,
  note: string | null,
  { effect, refunded = null, hadEnded }: Pick<DecisionFacts, "effect" | "refunded" | "hadEnded"> = {},
): Promise<void> {
  const sale = await findSale(trx, ad.workspace_id, ad.subscription_id);
  if (sale === undefined) return;
  const { workspace, advertiser, session_id } = sale;
  const url = session_id === null ? null : mailLinks(ports.publicUrl).checkout(ad.workspace_id, session_id);
  const letter = decisionLetter({
    decision,
    effect,
    workspace,
    advertiser,
    ad: ad.name,
    note: await noteInMail(trx, ports, sale, note),
    isPaid: decision === "ad-rejected" && (await hasPaid(trx, sale, sale.paid_amount)),
    refunded,
    hadEnded,
    url,
  });
  await queueToAdvertiser(trx, ports, "decision", sale, letter);
}

/** Queues the letter about a cancellation by the publisher to the advertiser; `refunded` as for a rejection. */
export async function mailCancellation(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sold: AdOfSale,
  note: string | null,
  refunded: DecisionFacts["refunded"],
): Promise<void> {
  const sale = await findSale(trx, sold.workspace_id, sold.subscription_id);
  if (sale === undefined) return;
  const isPaid = await hasPaid(trx, sale, sale.paid_amount);
  const words = await noteInMail(trx, ports, sale, note);
  const letter = canceledByPublisherLetter({ ...saleFacts(sale, null), note: words, isPaid, refunded });
  await queueToAdvertiser(trx, ports, "billing", sale, letter);
}

async function noteInMail(
  trx: Transaction<Tables>,
  { limits }: Pick<MailPorts, "limits">,
  { id, workspace_id: workspaceId }: SaleRow,
  note: string | null,
): Promise<string | null> {
  if (note === null || (await isPaidFor(trx, workspaceId, id))) return note;
  const { allowed } = await limits.consume(NOTES_RATE, await ownerOf(trx, workspaceId));
  return allowed ? note : NOTE_ELSEWHERE;
}

/** The payment of an invoice of the processor; null while the ledger does not have it. */
export async function paymentOf(
  trx: Transaction<Tables>,
  workspaceId: string,
  invoiceId: string | null,
): Promise<{ readonly amount: number } | null> {
  if (invoiceId === null) return null;
  const paid = await trx
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("provider_invoice_id", "=", invoiceId)
    .where("status", "=", "paid")
    .select("amount_paid")
    .executeTakeFirst();
  return paid === undefined ? null : { amount: paid.amount_paid };
}

/**
 * Whether the invoice of a stopped period was unpaid when the period was stopped. The ledger may learn of the payment before the
 * subscription does, or after it.
 */
export async function wasOwed(
  trx: Transaction<Tables>,
  { workspace_id: workspaceId, stopped_at: stoppedAt }: { workspace_id: string; stopped_at: Date | null },
  invoiceId: string | null,
): Promise<boolean> {
  if (invoiceId === null || stoppedAt === null) return false;
  const owed = await trx
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("provider_invoice_id", "=", invoiceId)
    .where((invoice) => invoice.or([invoice("status", "=", "open"), invoice("paid_at", ">=", stoppedAt)]))
    .select("id")
    .executeTakeFirst();
  return owed !== undefined;
}

/**
 * What a rejection would refund of a subscription that has ended while the time of its period stood still, by the ledger. Of an ad that
 * has run.
 */
export async function unusedAtEnd(
  trx: Transaction<Tables>,
  { id, workspace_id: workspaceId }: Pick<SaleRow, "id" | "workspace_id">,
  ended: CurrentPeriod & { readonly stop: { readonly at: number } | null },
): Promise<number> {
  const { stop } = ended;
  if (stop === null) return 0;
  const paid = await trx
    .selectFrom("invoices")
    .leftJoin("charges", "charges.invoice_id", "invoices.id")
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.subscription_id", "=", id)
    .where("invoices.status", "=", "paid")
    .select([
      "invoices.provider_invoice_id",
      "invoices.total",
      "invoices.amount_paid",
      "invoices.currency",
      "invoices.period_start",
      "invoices.period_end",
      "charges.amount_refunded",
      "charges.dispute_status",
    ])
    .select((one) =>
      one
        .selectFrom("refunds")
        .whereRef("refunds.provider_charge_id", "=", "charges.provider_charge_id")
        .where("refunds.workspace_id", "=", workspaceId)
        .where("refunds.refunded_at", ">=", new Date(stop.at))
        .select(sql<number>`coalesce(sum(refunds.amount), 0)::float8`.as("amount"))
        .as("refunded_since"),
    )
    .orderBy("invoices.issued_at", "desc")
    .limit(MOST_INVOICES)
    .execute();
  return paid
    .map((row) => ({
      id: row.provider_invoice_id,
      total: row.total,
      amountPaid: row.amount_paid,
      currency: row.currency,
      amountRefunded: isTakenBack(row) ? row.amount_paid : (row.amount_refunded ?? 0),
      refundedSince: row.refunded_since ?? 0,
      periodStart: row.period_start.getTime(),
      periodEnd: row.period_end.getTime(),
    }))
    .map(movedPeriods(ended))
    .reduce((sum, invoice) => sum + rejectionRefund(invoice, { hasRun: true, endedAt: stop.at }), 0);
}

function isTakenBack({ dispute_status: status }: { readonly dispute_status: DisputeStatus | null }): boolean {
  return isChargedBack(status === null ? null : { status });
}

/**
 * Whether something was paid that was neither refunded nor taken back by the bank: of an ad that has run with the newest payment, else with any.
 * The ledger may not have the newest payment yet.
 */
export async function hasPaid(
  trx: Transaction<Tables>,
  sale: SaleRow,
  newest: number | null,
): Promise<boolean> {
  const { workspace_id: workspaceId, id: subscriptionId, serving_since: since } = sale;
  const payments = await trx
    .selectFrom("invoices")
    .leftJoin("charges", "charges.invoice_id", "invoices.id")
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.subscription_id", "=", subscriptionId)
    .where("invoices.amount_paid", ">", 0)
    .select((payment) => [
      payment("invoices.amount_paid", ">", sql<number>`coalesce(charges.amount_refunded, 0)`)
        .and(
          payment.or([
            payment("charges.dispute_status", "is", null),
            payment("charges.dispute_status", "in", ["won", "inquiry"]),
          ]),
        )
        .as("is_left"),
    ])
    .orderBy("invoices.period_end", "desc")
    .limit(since === null ? MOST_INVOICES : 1)
    .execute();
  return payments.length > 0 ? payments.some(({ is_left }) => is_left) : (newest ?? 0) > 0;
}
