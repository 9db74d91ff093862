import type { Kysely } from "kysely";
import { SingleFlight } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { GRANT_MS, type Uploads } from "#libs/uploads/index.ts";
import { wasPaidFor } from "../../store/paid-for.ts";

export interface RecordPorts {
  readonly db: Kysely<Tables>;
  readonly uploads: Uploads;
  readonly now: () => number;
}

/** How long a PUT that began just before its grant ended may take, with a margin for differing clocks. */
const LATE_MS = 60_000;
/** Records that one request checks before it is refused. */
const MOST_FOR_REQUEST = 100;
/** Records that one daily sweep checks; the next one begins with the rest. */
const MOST_FOR_SWEEP = 10_000;
const BATCH = 100;

/** Requests of a workspace that are refused meanwhile share what the first finds. */
const refreshing = new SingleFlight<boolean>();

/**
 * Asks the store which of a workspace's expired grants were used. Removes the records of those without a file, so that they no longer
 * count. An open grant counts the same before and after its file arrives, so nobody asks for it. Files of sales that were paid for since
 * count as free no longer. Returns whether anything changed.
 */
export async function refreshRecords(ports: RecordPorts, workspaceId: string): Promise<boolean> {
  return await refreshing.run(workspaceId, async () => {
    const rows = await ports.db
      .selectFrom("uploads")
      .where("workspace_id", "=", workspaceId)
      .where("arrived_at", "is", null)
      .where("granted_at", "<=", expiredBy(ports.now()))
      .select(["key", "workspace_id", "granted_at"])
      .orderBy("granted_at", "desc")
      .limit(MOST_FOR_REQUEST)
      .execute();
    const hasRemoved = await refresh(ports, rows);
    return (await countAsPaid(ports.db, workspaceId)) || hasRemoved;
  });
}

/** Returns whether there was such a file. */
async function countAsPaid(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("uploads")
    .set({ is_free: false })
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", (query) =>
      query
        .selectFrom("uploads as free")
        .innerJoin("checkout_sessions", "checkout_sessions.id", "free.checkout_session_id")
        .innerJoin("subscriptions", "subscriptions.id", "checkout_sessions.subscription_id")
        .where("free.workspace_id", "=", workspaceId)
        .where("free.is_free", "=", true)
        .where("subscriptions.workspace_id", "=", workspaceId)
        .where(wasPaidFor())
        .select("free.key")
        // A transaction that holds one of these rows may be waiting for another.
        .forNoKeyUpdate("free")
        .skipLocked(),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** As `refreshRecords`, for the expired grants of all workspaces. Part of the daily sweep. */
export async function refreshAllRecords(ports: RecordPorts): Promise<void> {
  for (let checked = 0; checked < MOST_FOR_SWEEP; checked += BATCH) {
    const rows = await ports.db
      .selectFrom("uploads")
      .where("arrived_at", "is", null)
      .where("granted_at", "<=", expiredBy(ports.now()))
      .select(["key", "workspace_id", "granted_at"])
      .orderBy("granted_at")
      .limit(BATCH)
      .execute();
    await refresh(ports, rows);
    if (rows.length < BATCH) return;
  }
}

/** Returns whether it removed a record. */
async function refresh(
  { db, uploads, now }: RecordPorts,
  rows: readonly { readonly key: string; readonly workspace_id: string; readonly granted_at: Date }[],
): Promise<boolean> {
  let hasRemoved = false;
  for (const { key, workspace_id, granted_at } of rows) {
    const file = await uploads.find(key);
    if (file !== null) {
      await db
        .updateTable("uploads")
        .set({ bytes: file.contentLength, arrived_at: new Date(now()) })
        .where("workspace_id", "=", workspace_id)
        .where("key", "=", key)
        .execute();
    } else if (granted_at <= expiredBy(now())) {
      await db
        .deleteFrom("uploads")
        .where("workspace_id", "=", workspace_id)
        .where("key", "=", key)
        // Our own files may be granted again meanwhile.
        .where("granted_at", "=", granted_at)
        .execute();
      hasRemoved = true;
    }
  }
  return hasRemoved;
}

function expiredBy(now: number): Date {
  return new Date(now - GRANT_MS - LATE_MS);
}

/** The time after which the file of a grant can no longer be sent or replaced, in milliseconds since the epoch. */
export function closedAt(grantedAt: number): number {
  return grantedAt + GRANT_MS + LATE_MS;
}
