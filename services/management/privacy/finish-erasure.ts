import { sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { NO_OWN_LIMITS, type Placements } from "#libs/placements/index.ts";
import type { Services } from "../services.ts";
import { removeUnusedUploads } from "../uploads/unused.ts";
import { cancelSubscriptions } from "./cancel-subscriptions.ts";
import { queueErasure } from "./erase-workspace.ts";
import { queueEventErasure } from "./late-events.ts";
import { removeInSteps } from "./remove-in-steps.ts";
import { retainInvoices } from "./retain-invoices.ts";

const erasureJob = z.object({ workspaceId: z.string() });

/**
 * The tables whose rows a workspace's deletion removes, in the order of their foreign keys. Invoices, and with them charges
 * and refunds, go first (`retain-invoices.ts`); files and their records go last.
 */
const ERASED_WITH_WORKSPACE: readonly (keyof Tables)[] = [
  "revisions",
  "ads",
  "checkout_sessions",
  "subscriptions",
  "monthly_reports",
  "report_unsubscribes",
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

/** A checkout that was open when the deletion began can be paid for a day; its subscription is then canceled too. */
const CHECKOUT_MS = 25 * 60 * 60_000;
/** A file can arrive until five minutes after its grant. */
const GRANT_MS = 6 * 60_000;
const AGAIN_AFTER_MS = 10 * 60_000;

/**
 * Continues the deletion of a workspace. Each step is bounded and safe to repeat:
 *
 *     subscriptions canceled ──▶ nothing can be bought or uploaded any more? ──no──▶ again in ten minutes
 *       ──▶ rows removed, invoices kept without names ──▶ files removed ──▶ snapshot emptied ──▶ workspace removed
 *       ──▶ events removed by a job of their own (`late-events.ts`)
 *
 * Throws if the payment processor, the store of uploads or Redis fails; the job is then retried.
 */
export async function finishErasure(
  services: Services,
  placements: Placements,
  payload: unknown,
): Promise<void> {
  const { workspaceId } = erasureJob.parse(payload);
  const { db, now, logger } = services;
  const workspace = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .where("erasing_since", "is not", null)
    .select("id")
    .executeTakeFirst();
  if (workspace === undefined) return;

  await cancelSubscriptions(services, workspaceId);
  if (await isStillOpen(services, workspaceId)) {
    await queueErasure(db, workspaceId, new Date(now() + AGAIN_AFTER_MS));
    return;
  }
  await retainInvoices(db, workspaceId, services.retention.moneyRecordYears > 0);
  for (const table of ERASED_WITH_WORKSPACE) {
    await removeInSteps(db, table, sql`workspace_id = ${workspaceId}`);
  }
  await removeFiles(services, workspaceId);
  await sql`delete from idempotency_keys where strpos(body, ${workspaceId}) > 0`.execute(db);
  await emptySnapshot(services, placements, workspaceId);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("erased_workspaces")
      .values({ id: workspaceId, erased_at: new Date(now()) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    await trx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
    await queueEventErasure(trx, workspaceId);
  });
  logger.info({ workspaceId }, "a workspace was deleted");
}

async function isStillOpen({ db, now }: Services, workspaceId: string): Promise<boolean> {
  const checkout = await db
    .selectFrom("checkout_sessions")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "open")
    .where("created_at", ">", new Date(now() - CHECKOUT_MS))
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

/** Makes every serving process drop the workspace's ads from its memory. */
async function emptySnapshot({ db }: Services, placements: Placements, workspaceId: string): Promise<void> {
  const { version } = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("version")
    .executeTakeFirstOrThrow();
  await placements.publish({
    workspaceId,
    version: version + 1,
    ads: [],
    tiers: [],
    limits: NO_OWN_LIMITS,
  });
}

/** With the rows gone no upload is in use, so the removal of unused uploads removes them all. */
async function removeFiles(services: Services, workspaceId: string): Promise<void> {
  const { db, now } = services;
  for (;;) {
    const { numUpdatedRows } = await db
      .updateTable("uploads")
      .set({ due_at: new Date(now()) })
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await removeUnusedUploads(services);
  }
}
