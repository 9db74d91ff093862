import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { GRANT_MS } from "#libs/uploads/index.ts";
import type { Services } from "../services.ts";

type ArrivalServices = Pick<Services, "db" | "uploads" | "now">;

/** A PUT that began just before its grant ended may take this long, clocks that differ included. */
const LATE_MS = 60_000;
/** Looked at for one request that would be refused otherwise. */
const MOST_FOR_REQUEST = 100;
/** Looked at by one daily sweep; what is left over is first tomorrow. */
const MOST_FOR_SWEEP = 10_000;
const BATCH = 100;

interface UnseenUpload {
  readonly key: string;
  readonly workspace_id: string;
  readonly granted_at: Date;
}

/**
 * Asks the store which of a workspace's grants were used, of those that have expired and of those that the checkout has
 * open. The records of expired grants without a file go, so that they no longer count.
 */
export async function refreshRecords(
  services: ArrivalServices,
  workspaceId: string,
  checkout: { readonly sessionId: string } | null,
): Promise<void> {
  const rows = await services.db
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("arrived_at", "is", null)
    .where((where) =>
      where.or([
        where("granted_at", "<=", expiredBy(services)),
        ...(checkout === null ? [] : [where("checkout_session_id", "=", checkout.sessionId)]),
      ]),
    )
    .select(["key", "workspace_id", "granted_at"])
    .orderBy("granted_at", "desc")
    .limit(MOST_FOR_REQUEST)
    .execute();
  await refresh(services, rows);
}

/** Does the same for all workspaces, so that what uploads take is known although nobody asks. Part of the daily sweep. */
export async function refreshAllRecords(services: ArrivalServices): Promise<void> {
  for (let looked = 0; looked < MOST_FOR_SWEEP; looked += BATCH) {
    const rows = await services.db
      .selectFrom("uploads")
      .where("arrived_at", "is", null)
      .where("granted_at", "<=", expiredBy(services))
      .select(["key", "workspace_id", "granted_at"])
      .orderBy("granted_at")
      .limit(BATCH)
      .execute();
    await refresh(services, rows);
    if (rows.length < BATCH) return;
  }
}

async function refresh(services: ArrivalServices, rows: readonly UnseenUpload[]): Promise<void> {
  const { db, uploads, now } = services;
  for (const row of rows) {
    const file = await uploads.find(row.key);
    if (file !== null) await recordArrival(db, row, file.contentLength, new Date(now()));
    else if (row.granted_at <= expiredBy(services)) await forgetGrant(db, row);
  }
}

async function recordArrival(
  db: Kysely<Tables>,
  { key, workspace_id }: UnseenUpload,
  bytes: number,
  at: Date,
): Promise<void> {
  await db
    .updateTable("uploads")
    .set({ bytes, arrived_at: at })
    .where("workspace_id", "=", workspace_id)
    .where("key", "=", key)
    .execute();
}

/** Unless it was granted again meanwhile, as the same file of ours is. */
async function forgetGrant(
  db: Kysely<Tables>,
  { key, workspace_id, granted_at }: UnseenUpload,
): Promise<void> {
  await db
    .deleteFrom("uploads")
    .where("workspace_id", "=", workspace_id)
    .where("key", "=", key)
    .where("granted_at", "=", granted_at)
    .execute();
}

function expiredBy({ now }: Pick<Services, "now">): Date {
  return new Date(now() - GRANT_MS - LATE_MS);
}
