import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { DemoAd } from "./content.ts";

/** From the purchase to the approval. */
export const REVIEW_MS = 5 * 3_600_000;

/** The time of day of `now`, that many months and days earlier. */
export function before(now: number, { months, days }: DemoAd["bought"]): number {
  const then = new Date(now);
  then.setUTCDate(then.getUTCDate() - days);
  const day = then.getUTCDate();
  then.setUTCMonth(then.getUTCMonth() - months, 1);
  const longest = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, longest));
  return then.getTime();
}

/** Dates an ad, its advertiser and its purchase back to when it was bought, and an approval to some hours later. */
export async function backdate(
  db: Kysely<Tables>,
  workspaceId: string,
  adId: string,
  boughtAt: number,
): Promise<void> {
  const [bought, approved] = [new Date(boughtAt), new Date(boughtAt + REVIEW_MS)];
  const { subscription_id, status } = await db
    .updateTable("ads")
    .set({ created_at: bought })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .returning(["subscription_id", "status"])
    .executeTakeFirstOrThrow();
  if (status === "Approved") {
    const approval = { reviewed_at: approved, serving_since: approved };
    await db
      .updateTable("ads")
      .set(approval)
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", adId)
      .execute();
  }
  const { advertiser_id } = await db
    .updateTable("subscriptions")
    .set({ created_at: bought })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscription_id)
    .returning("advertiser_id")
    .executeTakeFirstOrThrow();
  await db
    .updateTable("advertisers")
    .set({ created_at: bought })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", advertiser_id)
    .execute();
  await db
    .updateTable("audit_log")
    .set({ occurred_at: status === "Approved" ? approved : bought })
    .where("workspace_id", "=", workspaceId)
    .where("resource_id", "=", adId)
    .execute();
}

/** The workspace and what it sells are older than its first ad. */
export async function backdateWorkspace(
  db: Kysely<Tables>,
  workspaceId: string,
  instant: number,
): Promise<void> {
  const created_at = new Date(instant);
  await db.updateTable("workspaces").set({ created_at }).where("id", "=", workspaceId).execute();
  for (const table of ["tiers", "prices", "fields"] as const) {
    await db.updateTable(table).set({ created_at }).where("workspace_id", "=", workspaceId).execute();
  }
  await db
    .updateTable("audit_log")
    .set({ occurred_at: created_at })
    .where("workspace_id", "=", workspaceId)
    .where("resource_kind", "in", ["workspace", "api-key", "tier", "price", "field"])
    .execute();
  await sortAuditLog(db, workspaceId);
}

/** The audit log is listed by id, so the same ids are given again in the order of time. */
async function sortAuditLog(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      with by_time as (
        select id, row_number() over (order by occurred_at, id) as place from audit_log where workspace_id = ${workspaceId}
      ), by_id as (
        select id, row_number() over (order by id) as place from audit_log where workspace_id = ${workspaceId}
      )
      update audit_log set id = 'sorted ' || by_id.id
      from by_time join by_id using (place)
      where audit_log.workspace_id = ${workspaceId} and audit_log.id = by_time.id`.execute(trx);
    await sql`
      update audit_log set id = substr(id, length('sorted ') + 1)
      where workspace_id = ${workspaceId} and id like 'sorted %'`.execute(trx);
  });
}
