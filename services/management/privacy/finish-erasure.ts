import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { emptySnapshot, type Placements } from "#libs/placements/index.ts";
import { closeOpenCheckouts } from "../billing/checkout/close-checkouts.ts";
import { closingOf } from "../billing/closing.ts";
import { type RemovalPorts, removeAllUploads } from "../media/uploads/removal.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { Payloads } from "../queue/tasks.ts";
import { removeInSteps } from "../store/remove-in-steps.ts";
import { cancelSubscriptions, makeDueRefunds } from "./cancel-subscriptions.ts";
import type { Retention } from "./retention.ts";

/**
 * The tables whose rows the deletion of a workspace removes, in the order of their foreign keys. Invoices with their charges
 * and refunds go first (`retainInvoices`); files and their records go last.
 */
const ERASED_WITH_WORKSPACE: readonly (keyof Tables)[] = [
  "revisions",
  "report_links",
  "ad_alerts",
  "corrections",
  "ads",
  "checkout_sessions",
  "subscriptions",
  "monthly_reports",
  "report_unsubscribes",
  "digest_lines",
  "dropped_mails",
  "advertiser_links",
  "advertisers",
  "prices",
  "tiers",
  "fields",
  "api_keys",
  "members",
  "invitations",
  "connected_accounts",
  "audit_log",
];

/** A file can arrive until five minutes after its grant. */
const GRANT_MS = 6 * 60_000;
const AGAIN_AFTER_MS = 10 * 60_000;
/** The deletions of this time have their events removed together: each removal rewrites what is stored of everybody. */
const EVENTS_AFTER_MS = 10 * 60_000;

type ErasurePorts = Parameters<typeof cancelSubscriptions>[0] &
  RemovalPorts & { readonly retention: Pick<Retention, "moneyRecordYears"> };

/**
 * Continues the deletion of a workspace. Each step is bounded and safe to repeat; after some calls of the payment processor it is
 * others' turn, and the rest is queued:
 *
 *     can anything still be bought or uploaded? ──▶ subscriptions canceled ──▶ due refunds made
 *       ──▶ if it could: open checkouts closed, and again from the start, in ten minutes if one is still open
 *       ──▶ rows removed, invoices kept without names ──▶ files removed ──▶ snapshot emptied ──▶ workspace removed
 *       ──▶ events removed by a job for all deletions of ten minutes (`eraseLateEvents` repeats it)
 *
 * Throws if the payment processor, the store of uploads or Redis fails; the job is then retried.
 */
export async function finishErasure(
  ports: ErasurePorts,
  placements: Placements,
  { workspaceId, canceling, refunding }: Omit<Payloads["erase-workspace"], "owner">,
): Promise<void> {
  const { db, now, logger } = ports;
  const workspace = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .where("erasing_since", "is not", null)
    .select(["id", "erasing_since", "closed_at", "erasing_refunds", "erasing_owner"])
    .executeTakeFirst();
  if (workspace === undefined || workspace.erasing_since === null) return;

  if (workspace.closed_at === null) await recordClosing(ports, workspace);
  const goOn = (turns: Pick<Payloads["erase-workspace"], "canceling" | "refunding">, afterMs = 0) =>
    enqueue(
      db,
      "erase-workspace",
      { workspaceId, owner: workspace.erasing_owner ?? workspaceId, ...turns },
      { runAt: new Date(now() + afterMs) },
    );
  const refunds = workspace.erasing_refunds ?? false;
  // Before the cancellations: what is bought meanwhile must not be removed uncanceled.
  const isOpen = await isStillOpen(ports, workspaceId);
  const toCancel = await cancelSubscriptions(ports, workspaceId, { refunds, from: canceling });
  if (toCancel !== null) return await goOn({ canceling: toCancel });
  const toRefund = await makeDueRefunds(ports, workspaceId, refunding);
  if (toRefund !== null) return await goOn({ refunding: toRefund });
  if (isOpen) {
    await closeOpenCheckouts(ports, { workspaceId });
    return await goOn({}, (await isStillOpen(ports, workspaceId)) ? AGAIN_AFTER_MS : 0);
  }
  await retainInvoices(db, workspaceId, ports.retention.moneyRecordYears > 0);
  for (const table of ERASED_WITH_WORKSPACE) {
    await removeInSteps(db, table, sql`workspace_id = ${workspaceId}`);
  }
  await removeAllUploads(ports, workspaceId);
  await removeAnswers(db, workspaceId);
  await dropAds(db, placements, workspaceId);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("erased_workspaces")
      .values({ id: workspaceId, erased_at: new Date(now()), refunds: workspace.erasing_refunds })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    await trx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
    await enqueue(trx, "erase-events", {}, { afterMs: EVENTS_AFTER_MS, keepsRunAt: true });
  });
  logger.info({ workspaceId }, "a workspace was deleted");
}

async function recordClosing(
  { db, payments }: Pick<ErasurePorts, "db" | "payments">,
  workspace: Pick<Selectable<Tables["workspaces"]>, "id" | "closed_at" | "erasing_since">,
): Promise<void> {
  const closing = closingOf(payments, workspace);
  if (closing === undefined) return;
  const closed = { closed_at: new Date(closing) };
  await db.updateTable("workspaces").set(closed).where("id", "=", workspace.id).execute();
}

async function isStillOpen(
  { db, now }: Pick<ErasurePorts, "db" | "now">,
  workspaceId: string,
): Promise<boolean> {
  // One that could not be closed expires at the processor, which the comparison finds out.
  const checkout = await db
    .selectFrom("checkout_sessions")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "open")
    .select("id")
    .executeTakeFirst();
  if (checkout !== undefined) return true;
  const upload = await db
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("granted_at", ">", new Date(now() - GRANT_MS))
    .select("key")
    .executeTakeFirst();
  return upload !== undefined;
}

/**
 * Removes the answers kept for retries that name the workspace: its own, and those to requests without a workspace in their
 * address. The many answers of other workspaces are not read.
 */
async function removeAnswers(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`
    delete from idempotency_keys
    where starts_with(caller, ${`${workspaceId}/`})
      or (not starts_with(caller, 'ws_') and strpos(body, ${workspaceId}) > 0)`.execute(db);
}

/** Makes every serving process drop the workspace's ads from its memory. */
async function dropAds(db: Kysely<Tables>, placements: Placements, workspaceId: string): Promise<void> {
  const { version } = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("version")
    .executeTakeFirstOrThrow();
  await placements.publish(emptySnapshot(workspaceId, version + 1));
}

const INVOICES_IN_A_STEP = 1_000;

/**
 * Moves a workspace's invoices, with their refunded amounts, to the records that are kept without names; without `keep`
 * they are only removed. Drafts were never issued and are no records.
 */
async function retainInvoices(db: Kysely<Tables>, workspaceId: string, keep: boolean): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with moved as (
        select * from invoices where workspace_id = ${workspaceId} limit ${sql.lit(INVOICES_IN_A_STEP)}
      ), kept as (
        insert into retained_invoices
        select moved.id, moved.workspace_id, subscriptions.provider_account, moved.provider_invoice_id, moved.number,
          moved.status, moved.currency, moved.total, moved.amount_paid, moved.amount_due,
          coalesce(sum(charges.amount_refunded), 0)::bigint, coalesce(bool_or(charges.disputed), false),
          moved.issued_at, moved.paid_at, moved.period_start, moved.period_end
        from moved
        join subscriptions on subscriptions.id = moved.subscription_id
        left join charges on charges.workspace_id = moved.workspace_id and charges.invoice_id = moved.id
        where moved.status <> 'draft' and ${keep}::boolean
          and not exists (
            select from retained_invoices as earlier
            where earlier.provider_invoice_id = moved.provider_invoice_id
          )
        group by moved.id, moved.workspace_id, subscriptions.provider_account, moved.provider_invoice_id, moved.number,
          moved.status, moved.currency, moved.total, moved.amount_paid, moved.amount_due,
          moved.issued_at, moved.paid_at, moved.period_start, moved.period_end
      )
      delete from invoices where workspace_id = ${workspaceId} and id in (select id from moved)`.execute(db);
    if (numAffectedRows < INVOICES_IN_A_STEP) return;
  }
}
