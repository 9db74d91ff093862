import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isUnsold } from "#libs/domain/charging.ts";
import { type GraceChange, graceEnd, nextSpan, type ServingFacts } from "#libs/domain/eligibility.ts";
import type { Moment } from "#libs/domain/moment.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { enqueue } from "../queue/enqueue.ts";

/** An ad with the facts that decide whether it is served. */
export interface ServingRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly status: ServingFacts["adStatus"];
  readonly serving_since: Date | null;
  readonly serving_until: Date | null;
  readonly subscription_status: ServingFacts["subscriptionStatus"];
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: Date | null;
  readonly current_period_end: Date | null;
  readonly renewal_failed_at: Date | null;
  readonly renewal_grace_days: number;
  readonly grace_changes: readonly GraceChange[];
  readonly charge_at: ChargeAt;
  readonly awaits_approval: boolean;
  readonly is_period_void: boolean;
  readonly stopped_at: Date | null;
}

/** The columns of a subscription that say when its grace ends. */
export type GraceRow = Pick<
  ServingRow,
  | "subscription_status"
  | "renewal_failed_at"
  | "renewal_grace_days"
  | "grace_changes"
  | "current_period_end"
  | "stopped_at"
>;

/** When the grace of a failed renewal ends, in milliseconds since the epoch; null unless one is unpaid. */
export function graceEndOf(row: GraceRow): number | null {
  return graceEnd({
    status: row.subscription_status,
    renewalFailedAt: row.renewal_failed_at?.getTime() ?? null,
    graceDays: row.renewal_grace_days,
    graceChanges: row.grace_changes,
    periodEnd: row.current_period_end?.getTime() ?? null,
    stoppedAt: row.stopped_at?.getTime() ?? null,
  });
}

/** Whether nothing was paid for the current period: its charge waits for the ad's approval, or its invoice was voided. */
export function awaitsCharge(
  row: Pick<ServingRow, "subscription_status" | "charge_at" | "awaits_approval" | "is_period_void">,
): boolean {
  return isUnsold({
    status: row.subscription_status,
    chargeAt: row.charge_at,
    awaitsApproval: row.awaits_approval,
    isPeriodVoid: row.is_period_void,
  });
}

/** End of the paid time of a subscription whose renewals are held until the ad's approval; null if they are not held. */
export function heldUntil(row: Pick<ServingRow, "awaits_approval" | "current_period_end">): number | null {
  return row.awaits_approval ? (row.current_period_end?.getTime() ?? null) : null;
}

/** The facts that decide whether an ad may be served. */
export function servingFacts(
  ad: Omit<ServingRow, "id" | "workspace_id" | `serving_${string}`>,
): ServingFacts {
  return {
    adStatus: ad.status,
    subscriptionStatus: ad.subscription_status,
    cancelAtPeriodEnd: ad.cancel_at_period_end,
    cancelAt: ad.cancel_at?.getTime() ?? null,
    currentPeriodEnd: ad.current_period_end?.getTime() ?? null,
    graceEndsAt: graceEndOf(ad),
    awaitsCharge: awaitsCharge(ad),
    heldUntil: heldUntil(ad),
  };
}

/**
 * Sets the serving window of an ad by its review and its subscription, and bumps the snapshot version if serving knows the ad. Call it after each change
 * of either, in the same transaction, with the ad's row locked and read after the change.
 */
export async function updateServingWindow(
  trx: Transaction<Tables>,
  ad: ServingRow,
  moment: Moment,
): Promise<void> {
  const span = nextSpan(
    { since: ad.serving_since?.getTime() ?? null, until: ad.serving_until?.getTime() ?? null },
    servingFacts(ad),
    moment,
  );
  await trx
    .updateTable("ads")
    .set({
      serving_since: span.since === null ? null : new Date(span.since),
      serving_until: span.until === null ? null : new Date(span.until),
    })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .execute();
  // Serving does not know an ad that was never approved, and its buyer can change the subscription at will.
  const isHidden = ad.status === "Pending" && ad.serving_since === null && span.since === null;
  if (!isHidden) await bumpSnapshotVersion(trx, ad.workspace_id);
}

/** As `updateServingWindow`, for an ad that has not been read. */
export async function refreshServingWindow(
  trx: Transaction<Tables>,
  adId: string,
  moment: Moment,
): Promise<void> {
  const ad = await trx
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
    .where("ads.id", "=", adId)
    .select([
      "ads.id",
      "ads.workspace_id",
      "ads.status",
      "ads.serving_since",
      "ads.serving_until",
      "subscriptions.status as subscription_status",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.current_period_end",
      "subscriptions.renewal_failed_at",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.is_period_void",
      "subscriptions.stopped_at",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
    ])
    .executeTakeFirstOrThrow();
  await updateServingWindow(trx, ad, moment);
}

/**
 * Publishes a change that serving can see: increments the workspace's snapshot version and queues the `snapshot` task, both
 * in the change's transaction. Several changes in a row make one task.
 */
export async function bumpSnapshotVersion(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  await trx
    .updateTable("workspaces")
    .set((set) => ({ version: set("version", "+", 1) }))
    .where("id", "=", workspaceId)
    .execute();
  await enqueue(trx, "snapshot", { workspaceId });
}

/** As `bumpSnapshotVersion`, after a change of one ad's content; does nothing while no snapshot has the ad. */
export async function bumpIfShown(
  trx: Transaction<Tables>,
  { workspaceId, adId }: { readonly workspaceId: string; readonly adId: string },
): Promise<void> {
  const shown = await trx
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", adId)
    .where((where) => where.or([where("status", "=", "Approved"), where("serving_since", "is not", null)]))
    .select("id")
    .executeTakeFirst();
  if (shown !== undefined) await bumpSnapshotVersion(trx, workspaceId);
}
