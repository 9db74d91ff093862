import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { lockWorkspace } from "../accounts/workspaces/queries.ts";
import { isSubscription } from "../ads/subscription-filter.ts";
import { enqueue } from "../queue/enqueue.ts";
import { bumpSnapshotVersion } from "../snapshots/publish.ts";

/**
 * Locks a workspace with its subscriptions and ads; undefined if there is none. In the order of all that changes a subscription or an ad,
 * which comes to the workspace last: the other way round they would deadlock.
 */
export async function lockForErasure(trx: Transaction<Tables>, workspaceId: string) {
  for (const table of ["subscriptions", "ads"] as const) {
    await trx
      .selectFrom(table)
      .where("workspace_id", "=", workspaceId)
      .select("id")
      .orderBy("id")
      // Leaves rows be that are inserted meanwhile and refer to these.
      .forNoKeyUpdate()
      .execute();
  }
  return await lockWorkspace(trx, workspaceId);
}

/**
 * Begins to delete a workspace that `lockForErasure` has locked: removes its members, stops serving and selling, and frees its
 * slug. A job does the rest: it cancels subscriptions at the payment processor, makes the refunds that are due from now on if it
 * `refunds`, and removes all rows, files and counts. Idempotent.
 */
export async function beginErasure(
  trx: Transaction<Tables>,
  { id: workspaceId, erasing_since }: Pick<Selectable<Tables["workspaces"]>, "id" | "erasing_since">,
  now: Date,
  refunds: boolean,
): Promise<void> {
  if (erasing_since !== null) return;
  const owner = await ownerOf(trx, workspaceId);
  await trx
    .updateTable("workspaces")
    .set({
      erasing_since: now,
      erasing_refunds: refunds,
      erasing_owner: owner,
      slug: `deleted-${workspaceId.replace(/^ws_/, "")}`,
      updated_at: now,
    })
    .where("id", "=", workspaceId)
    .execute();
  // The foreign keys cascade from memberships to API keys.
  for (const table of ["members", "invitations"] as const) {
    await trx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
  for (const table of ["prices", "tiers"] as const) {
    await trx
      .updateTable(table)
      .set({ is_active: false })
      .where("workspace_id", "=", workspaceId)
      .where("is_active", "=", true)
      .execute();
  }
  if (refunds) {
    await trx
      .updateTable("subscriptions")
      .set({ refund_due_since: now })
      .where("workspace_id", "=", workspaceId)
      .where((where) =>
        where.or([where("status", "not in", ENDED_STATUSES), isSubscription(where, "NeverRan")]),
      )
      .execute();
  }
  // Rejected, so that no webhook of the payment processor makes them serve again. Nobody can approve one that waits, and strangers can
  // have submitted any number.
  await trx
    .updateTable("ads")
    .set({ status: "Rejected", serving_until: sql<Date>`least(serving_until, ${now}::timestamptz)` })
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "Approved")
    .execute();
  await bumpSnapshotVersion(trx, workspaceId);
  await enqueue(trx, "erase-workspace", { workspaceId, owner }, { runAt: now });
}

/** Queues the unfinished deletions again that nothing works on now, such as those whose job has used up its attempts. */
export async function resumeErasures(db: Kysely<Tables>, now: Date): Promise<void> {
  const rows = await db
    .selectFrom("workspaces")
    .where("erasing_since", "is not", null)
    .where(
      sql<boolean>`not exists (
        select from graphile_worker.jobs
        where key = 'erase-workspace:' || workspaces.id and locked_at is not null
      )`,
    )
    .select(["id", "erasing_owner"])
    .orderBy("id")
    .execute();
  for (const { id, erasing_owner: owner } of rows) {
    await enqueue(db, "erase-workspace", { workspaceId: id, owner: owner ?? id }, { runAt: now });
  }
}

/** A log or spill that is unavailable may hold events of a deleted workspace no longer than this. */
const LATE_FOR_MS = 30 * 24 * 60 * 60_000;
/** How long advertisers' links lead to a page that says what has happened. */
const REMEMBERED_FOR_MS = 365 * 24 * 60 * 60_000;

/** Queues the removal of events of the workspaces deleted in the last 30 days, and forgets those deleted a year ago. */
export async function eraseLateEvents(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom("erased_workspaces")
    .where("erased_at", "<", new Date(now.getTime() - REMEMBERED_FOR_MS))
    .execute();
  const [one] = await selectErased(db, now).limit(1).execute();
  if (one !== undefined) await enqueue(db, "erase-events", {});
}

/** One statement removes the events of this many workspaces at most. */
const WORKSPACES_IN_A_STEP = 1_000;

export interface EventErasurePorts {
  readonly db: Kysely<Tables>;
  readonly stats: Pick<StatsStore, "eraseWorkspaces">;
  readonly now: () => number;
}

/**
 * Removes the events and counts of all workspaces deleted in the last 30 days. One statement serves many workspaces, because each
 * statement rewrites the parts of the tables that it changes.
 */
export async function eraseEvents({ db, stats, now }: EventErasurePorts): Promise<void> {
  const rows = await selectErased(db, new Date(now())).orderBy("id").execute();
  for (let first = 0; first < rows.length; first += WORKSPACES_IN_A_STEP) {
    await stats.eraseWorkspaces(rows.slice(first, first + WORKSPACES_IN_A_STEP).map(({ id }) => id));
  }
}

function selectErased(db: Kysely<Tables>, now: Date) {
  return db
    .selectFrom("erased_workspaces")
    .where("erased_at", ">=", new Date(now.getTime() - LATE_FOR_MS))
    .select("id");
}
