import { type ExpressionBuilder, type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { InvoiceStatus } from "#libs/domain/invoice.ts";
import { endOfPeriod, startOfPeriod } from "#libs/domain/revenue.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";
import { anyOf, hasRow, idOrNone } from "../../store/any-of.ts";
import { containing } from "../../store/like-pattern.ts";
import { isChangedInvoice } from "./changed.ts";

/** The invoices to list. Months and days are of UTC, as `2026-11` or `2026-11-21`, both included. */
export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined;
  readonly advertiserId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly clientReference?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly updatedSince?: string | undefined;
  /** Part of the number, or of the advertiser's name or email address. */
  readonly query?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An invoice with its advertiser, its refunds and whether it is disputed. */
export type LedgerRow = Awaited<ReturnType<typeof selectInvoices>>[number];

/** An invoice of a workspace, or undefined. */
export async function findInvoice(db: Kysely<Tables>, workspaceId: string, invoiceId: string) {
  if (!isId("invoice", invoiceId)) return undefined;
  const [row] = await selectInvoices(db, workspaceId, [{ id: invoiceId }]);
  return row;
}

const NEWEST: Order = {
  name: "invoices:newest",
  keys: [orderKey("invoices.issued_at", "time", "desc"), orderKey("invoices.id", "text", "desc")],
};

/** One page of a workspace's invoices, newest first. */
export async function listInvoices(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: InvoiceFilter,
  request: PageRequest,
) {
  const hasChanged = await isChangedInvoice("invoices.id", db, workspaceId, filter.updatedSince);
  const { envelope, rows } = await readPageOf(
    db,
    request,
    NEWEST,
    (at) => filtered(at, workspaceId, filter).where(hasChanged),
    (found, columns) => found.select(["invoices.id", ...columns]),
  );
  return { envelope, rows: await selectInvoices(db, workspaceId, rows) };
}

/** What of an invoice was refunded, in a query of a workspace's invoices; null for nothing. */
export function refundedOf(invoices: ExpressionBuilder<Tables, "invoices">, workspaceId: string) {
  return invoices
    .selectFrom("charges")
    .where("charges.workspace_id", "=", workspaceId)
    .whereRef("charges.invoice_id", "=", "invoices.id")
    .select((select) => select.fn.sum<number>("charges.amount_refunded").as("refunded"));
}

/** What the ledger knows of a subscription's charges. */
export interface Charged {
  readonly amount: number;
  readonly refunded: number;
  /** When the first invoice was issued; null once the ledger is complete back to the beginning. */
  readonly since: Date | null;
}

/** What was charged on each of the subscriptions, by its id, without those that have no invoice. */
export async function findCharged(
  db: Kysely<Tables>,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, Charged>> {
  const rows = await db
    .selectFrom("invoices")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .leftJoin("ledger_fills", (join) =>
      join.on("ledger_fills.account", "=", sql<string>`coalesce(subscriptions.provider_account, '')`),
    )
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.subscription_id", "=", sql<string>`any(${subscriptionIds}::text[])`)
    .groupBy(["invoices.subscription_id", "ledger_fills.account"])
    .select((select) => [
      "invoices.subscription_id",
      sql<number>`coalesce(sum(invoices.amount_paid) filter (where invoices.status = 'paid'), 0)`.as(
        "amount",
      ),
      sql<number>`coalesce(sum(${refundedOf(select, workspaceId)}) filter (where invoices.status = 'paid'), 0)::float8`.as(
        "refunded",
      ),
      sql<Date | null>`case when ledger_fills.account is null then min(invoices.issued_at) end`.as("since"),
    ])
    .execute();
  return new Map(rows.map(({ subscription_id: id, ...charged }) => [id, charged]));
}

function filtered(db: Kysely<Tables>, workspaceId: string, filter: InvoiceFilter) {
  const { status, advertiserId, subscriptionId, clientReference, ids, query = "", from, to } = filter;
  const search = query.trim();
  let invoices = db.selectFrom("invoices").where("workspace_id", "=", workspaceId);
  if (status !== undefined) invoices = invoices.where("status", "=", status);
  if (advertiserId !== undefined) {
    invoices = invoices.where("advertiser_id", "=", idOrNone("advertiser", advertiserId));
  }
  if (subscriptionId !== undefined) {
    invoices = invoices.where("subscription_id", "=", idOrNone("subscription", subscriptionId));
  }
  if (clientReference !== undefined) {
    const bought = db
      .selectFrom("subscriptions")
      .where("workspace_id", "=", workspaceId)
      .where("client_reference", "=", clientReference)
      .select("id");
    invoices = invoices.where("subscription_id", "in", bought);
  }
  if (ids !== undefined) invoices = invoices.where("id", "=", anyOf("invoice", ids));
  if (search !== "") {
    const pattern = containing(search);
    // This asks of each invoice by itself, because Postgres would search a set of very many advertisers through for each.
    const isNamed = hasRow(
      db
        .selectFrom("advertisers as named")
        .where("named.workspace_id", "=", workspaceId)
        .where("named.id", "=", sql.ref<string>("invoices.advertiser_id"))
        .where((one) => one.or([one("named.name", "ilike", pattern), one("named.email", "ilike", pattern)]))
        .select("named.id"),
    );
    invoices = invoices.where((where) => where.or([where("number", "ilike", pattern), isNamed]));
  }
  if (from !== undefined) invoices = invoices.where("issued_at", ">=", new Date(startOfPeriod(from)));
  if (to !== undefined) invoices = invoices.where("issued_at", "<", new Date(endOfPeriod(to)));
  return invoices;
}

async function selectInvoices(db: Kysely<Tables>, workspaceId: string, page: readonly { id: string }[]) {
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  const rows = await db
    .selectFrom("invoices")
    .innerJoin("advertisers", "advertisers.id", "invoices.advertiser_id")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .leftJoin("ads", (join) =>
      join.onRef("ads.subscription_id", "=", "subscriptions.id").on("ads.workspace_id", "=", workspaceId),
    )
    .where("invoices.workspace_id", "=", workspaceId)
    .where("invoices.id", "=", sql<string>`any(${ids}::text[])`)
    .selectAll("invoices")
    .select([
      "subscriptions.provider_account",
      "subscriptions.client_reference",
      "subscriptions.metadata",
      "ads.id as ad_id",
      "advertisers.name as advertiser_name",
      "advertisers.email as advertiser_email",
    ])
    .orderBy("invoices.issued_at", "desc")
    .orderBy("invoices.id", "desc")
    .execute();
  const charges = await db
    .selectFrom("charges")
    .where("workspace_id", "=", workspaceId)
    .where("invoice_id", "=", sql<string>`any(${ids}::text[])`)
    .selectAll()
    .execute();
  const chargeIds = charges.map((charge) => charge.provider_charge_id);
  const refunds = await db
    .selectFrom("refunds")
    .where("workspace_id", "=", workspaceId)
    .where("provider_charge_id", "=", sql<string>`any(${chargeIds}::text[])`)
    .selectAll()
    .orderBy("refunded_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const byInvoice = Map.groupBy(charges, (charge) => charge.invoice_id);
  return rows.map((row) => {
    const charged = byInvoice.get(row.id) ?? [];
    const ofInvoice = new Set(charged.map((charge) => charge.provider_charge_id));
    return {
      ...row,
      amount_refunded: charged.reduce((sum, charge) => sum + charge.amount_refunded, 0),
      disputed: charged.some((charge) => charge.disputed),
      dispute: disputeOf(charged),
      refunds: refunds.filter((refund) => ofInvoice.has(refund.provider_charge_id)),
    };
  });
}

function disputeOf(
  charges: readonly Pick<
    Selectable<Tables["charges"]>,
    "dispute_amount" | "dispute_status" | "dispute_due_at"
  >[],
) {
  for (const { dispute_amount: amount, dispute_status: status, dispute_due_at: dueAt } of charges) {
    if (amount !== null && status !== null) return { amount, status, dueAt };
  }
  return null;
}
