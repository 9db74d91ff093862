import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { endOfPeriod, startOfPeriod } from "#libs/domain/revenue.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { idOrNone } from "../../store/any-of.ts";

/** The refunds to list. Days or months are of UTC, both included. */
export interface RefundFilter {
  readonly advertiserId?: string | undefined;
  readonly clientReference?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const NEWEST: Order = {
  name: "refunds:newest",
  keys: [orderKey("refunds.refunded_at", "time", "desc"), orderKey("refunds.id", "text", "desc")],
};

/** A refund with what it was of. */
type RefundRow = Awaited<ReturnType<typeof selectRefunds>>[number];

/** One page of a workspace's refunds with what each was of, newest first. */
export async function listRefunds(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: RefundFilter,
  request: PageRequest,
) {
  const { envelope, rows } = await readPageOf(
    db,
    request,
    NEWEST,
    (at) => filtered(at, workspaceId, filter),
    (found, columns) => found.select(["refunds.id", ...columns]),
  );
  return { envelope, rows: rows.length === 0 ? [] : await selectRefunds(db, workspaceId, rows) };
}

function filtered(db: Kysely<Tables>, workspaceId: string, filter: RefundFilter) {
  const { advertiserId, clientReference, from, to } = filter;
  let refunds = db.selectFrom("refunds").where("refunds.workspace_id", "=", workspaceId);
  if (advertiserId !== undefined || clientReference !== undefined) {
    let charges = withPurchase(db, workspaceId).select("charges.provider_charge_id");
    if (advertiserId !== undefined) {
      charges = charges.where("invoices.advertiser_id", "=", idOrNone("advertiser", advertiserId));
    }
    if (clientReference !== undefined) {
      charges = charges.where("subscriptions.client_reference", "=", clientReference);
    }
    refunds = refunds.where("refunds.provider_charge_id", "in", charges);
  }
  if (from !== undefined) refunds = refunds.where("refunded_at", ">=", new Date(startOfPeriod(from)));
  if (to !== undefined) refunds = refunds.where("refunded_at", "<", new Date(endOfPeriod(to)));
  return refunds;
}

/** Charges with their invoice and subscription: with the workspace on every table, so that Postgres searches none across workspaces. */
function withPurchase(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("charges")
    .innerJoin("invoices", "invoices.id", "charges.invoice_id")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .where("charges.workspace_id", "=", workspaceId)
    .where("invoices.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId);
}

async function selectRefunds(db: Kysely<Tables>, workspaceId: string, page: readonly { id: string }[]) {
  return await withPurchase(db, workspaceId)
    .innerJoin("refunds", "refunds.provider_charge_id", "charges.provider_charge_id")
    .innerJoin("advertisers", "advertisers.id", "invoices.advertiser_id")
    .leftJoin("ads", (join) =>
      join.onRef("ads.subscription_id", "=", "subscriptions.id").on("ads.workspace_id", "=", workspaceId),
    )
    .where("refunds.workspace_id", "=", workspaceId)
    .where("advertisers.workspace_id", "=", workspaceId)
    .where("refunds.id", "=", sql<string>`any(${page.map(({ id }) => id)}::text[])`)
    .select([
      "refunds.id",
      "refunds.amount",
      "refunds.currency",
      "refunds.reason",
      "refunds.note",
      "refunds.refunded_at",
      "invoices.id as invoice_id",
      "invoices.number as invoice_number",
      "invoices.subscription_id",
      "subscriptions.client_reference",
      "subscriptions.metadata",
      "ads.id as ad_id",
      "advertisers.id as advertiser_id",
      "advertisers.name as advertiser_name",
      "advertisers.email as advertiser_email",
    ])
    .orderBy("refunds.refunded_at", "desc")
    .orderBy("refunds.id", "desc")
    .execute();
}

/** A refund as the list shows it. */
export function presentRefund(row: RefundRow) {
  return {
    id: row.id,
    amount: row.amount,
    currency: row.currency,
    reason: row.reason,
    note: row.note,
    refundedAt: row.refunded_at.toISOString(),
    invoiceId: row.invoice_id,
    invoiceNumber: row.invoice_number,
    subscriptionId: row.subscription_id,
    adId: row.ad_id,
    clientReference: row.client_reference,
    metadata: { ...row.metadata },
    advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email },
  };
}
